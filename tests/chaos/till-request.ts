/** What a till asked for of cards and credit that run out. Amounts are hundredths. */
export interface TillRequest {
  id: string;
  kind: 'sell' | 'park' | 'complete' | 'void' | 'redeem';
  /** Its sale; null: a card alone. */
  receipt: string | null;
  card: number | null;
  cardAmount: number;
  customer: number | null;
  credit: number;
  invokedMs: number;
  endedMs: number;
  /** info: the outcome is unknown. */
  result: 'ok' | 'fail' | 'info';
  status: number;
  /** Why it was refused. */
  says: string;
  /** The card's balance, as a redemption answers it. */
  left?: number;
}
