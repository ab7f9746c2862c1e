/** A gift card: its table, its states, and the values that staff may give it. */
import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import { decimalColumn, storeKeyColumns, timeColumn, timeColumns } from '@store/db';
import { aboveZero, acceptor, cents, endField, filled, idField, moneyField, moneyScale, moneyText, textField } from '@store/input';
import { invalid } from '@store/problem';

const giftCardStatuses = ['active', 'expired', 'redeemed', 'cancelled'] as const;

const money = () => decimalColumn(moneyScale);
const unexpired = "status = 'active'";

export const GiftCard = defineEntity({
  name: 'GiftCard',
  tableName: 'gift_cards',
  properties: {
    ...storeKeyColumns(),
    cardNumber: p.text(),
    status: p.enum(giftCardStatuses),
    originalAmount: money(),
    balance: money(),
    /** The part of the balance that is put aside (D121). */
    held: money(),
    customerId: p.bigint('number').nullable(),
    recipientName: p.text().nullable(),
    issuedAt: timeColumn(),
    /** From then on it cannot be spent. */
    expiresAt: timeColumn().nullable(),
    ...timeColumns(),
  },
  checks: [{ name: 'gift_cards_check', expression: 'balance >= 0 AND held >= 0 AND held <= balance' }],
  uniques: [{ name: 'gift_cards_store_id_card_number_key', properties: ['storeId', 'cardNumber'] }],
  indexes: [
    { name: 'gift_cards_of_customer', properties: ['storeId', 'customerId'], where: 'customer_id is not null' },
    { name: 'gift_cards_active', expression: `create index gift_cards_active on sales.gift_cards (store_id, id) where ${unexpired}` },
    {
      name: 'gift_cards_expiring',
      expression: `create index gift_cards_expiring on sales.gift_cards (store_id, expires_at) where ${unexpired} and expires_at is not null`,
    },
    {
      name: 'gift_cards_due',
      expression: `create index gift_cards_due on sales.gift_cards (expires_at, store_id) where ${unexpired} and expires_at is not null`,
    },
  ],
});

export type GiftCardRecord = InferEntity<typeof GiftCard>;

/** The columns that decide its state. */
export type CardState = Pick<GiftCardRecord, 'status' | 'expiresAt'>;

export function isPastExpiry({ expiresAt }: Pick<CardState, 'expiresAt'>, now: Date): boolean {
  return expiresAt !== null && expiresAt !== undefined && now >= expiresAt;
}

/** Whether it can be spent: a card past its expiry cannot, even before it is marked so (D119). */
export function isSpendable(card: CardState, now: Date): boolean {
  return card.status === 'active' && !isPastExpiry(card, now);
}

/** What can be spent now, in cents (D121). */
export function availableCents(card: Pick<GiftCardRecord, 'status' | 'expiresAt' | 'balance' | 'held'>, now: Date): bigint {
  return isSpendable(card, now) ? cents(card.balance) - cents(card.held) : 0n;
}

/** Why that amount cannot be taken; undefined: it can (D211). `name`: the card's name in the text. */
export function refusalOf(
  card: Pick<GiftCardRecord, 'status' | 'expiresAt' | 'balance' | 'held'>,
  amount: bigint,
  now: Date,
  name = 'Gift card',
): string | undefined {
  if (isPastExpiry(card, now) || card.status === 'expired') return `${name} has expired`;
  if (card.status !== 'active') return `${name} is ${card.status}`;
  const available = availableCents(card, now);
  return amount > available ? `${name} has only ${moneyText(available)} available` : undefined;
}

/** The state after a refund: one whose expiry has passed stays unusable, a cancelled one stays cancelled (D212). */
export function refundedStatus(card: CardState, now: Date): CardState['status'] {
  if (card.status === 'cancelled') return 'cancelled';
  return isPastExpiry(card, now) ? 'expired' : 'active';
}

export function demandActive(card: CardState, now: Date): void {
  if (!isSpendable(card, now)) throw invalid([`Gift card ${isPastExpiry(card, now) ? 'has expired' : `is ${card.status}`}`]);
}

const numberMax = 32;
const cardNumberPattern = /^[A-Z0-9-]{4,32}$/;

/** As cards are kept and matched (D232). */
export const normalNumber = (text: string): string => text.trim().toUpperCase();

/** The part of a number that logs, the audit trail and refusals show (D265); at most half of a short one. */
export const lastFour = (number: string): string => number.slice(-Math.min(4, number.length >> 1));

/** The acceptor of a new card; a date-only expiry is in the store's time zone (D231). */
export function acceptGiftCard(timeZone: string) {
  return acceptor({
    wrapper: 'gift_card',
    fields: {
      card_number: textField(numberMax)
        .transform((text) => (text === null ? null : normalNumber(text)))
        .refine((number) => number === null || cardNumberPattern.test(number), 'must be 4 to 32 letters, digits and hyphens'),
      amount: filled(aboveZero(moneyField())),
      customer_id: idField(),
      recipient_name: textField(),
      expires_at: endField(timeZone),
    },
    required: ['amount'],
  });
}
