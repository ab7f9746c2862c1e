import type { Row } from '@store/db';
import { cents, moneyText } from '@store/input';
import type { GiftCard as GiftCardMessage, SnapshotGiftCard } from '@store/protos/sales/v1.ts';
import { availableCents, type GiftCard, isPastExpiry, isSpendable } from './gift-card.ts';

type StoredCard = Row<typeof GiftCard>;

/** The columns that the message shows, and the customer's name as the copy knows it. */
type ShownCard = Omit<StoredCard, 'store_id' | 'created_at' | 'updated_at'> & { customer_name: string | null };

/** A card past its expiry is shown as expired before it is marked so; its status stays the stored one (D119). */
export function giftCardView(row: ShownCard, now: Date): GiftCardMessage {
  const state = { status: row.status, expiresAt: row.expires_at, balance: row.balance, held: row.held };
  return {
    id: row.id,
    card_number: row.card_number,
    status: row.status,
    original_amount: Number(row.original_amount),
    balance: Number(row.balance),
    available_balance: Number(moneyText(availableCents(state, now))),
    issued_at: row.issued_at.toISOString(),
    expires_at: row.expires_at?.toISOString(),
    expired: row.status === 'expired' || isPastExpiry(state, now),
    active: isSpendable(state, now),
    customer_id: row.customer_id ?? undefined,
    customer_name: row.customer_name ?? undefined,
    recipient_name: row.recipient_name ?? undefined,
  };
}

/** Of a card that can be spent. */
export function snapshotCardView(row: Pick<StoredCard, 'card_number' | 'balance' | 'held' | 'expires_at'>): SnapshotGiftCard {
  return {
    card_number: row.card_number,
    balance: Number(row.balance),
    status: 'active',
    expires_at: row.expires_at?.toISOString(),
    available_balance: Number(moneyText(cents(row.balance) - cents(row.held))),
  };
}
