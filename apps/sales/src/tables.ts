import { type BackgroundOf, RunningTotal, tablesOf } from '@store/db';
import { StoreCopy } from '@store/service';
import { CashDrawerMovement } from './cash-drawer-sessions/cash-drawer-movement.ts';
import { CashDrawerSession } from './cash-drawer-sessions/cash-drawer-session.ts';
import { Customer } from './customers/customer.ts';
import { CardMiss } from './gift-cards/card-misses.ts';
import { GiftCard } from './gift-cards/gift-card.ts';
import { GiftCardHold } from './gift-cards/gift-card-hold.ts';
import { GiftCardTransaction } from './gift-cards/ledger.ts';
import { ReceiptNumberBlock } from './receipt-numbers/receipt-number-block.ts';
import { Sale, SalePayment } from './sales/sale.ts';
import { SaleLineItem } from './sales/sale-line-item.ts';
import { StoreCreditIntent } from './store-credit/store-credit-intent.ts';

export const entities = [
  CardMiss,
  CashDrawerMovement,
  CashDrawerSession,
  Customer,
  GiftCard,
  GiftCardHold,
  GiftCardTransaction,
  ReceiptNumberBlock,
  RunningTotal,
  Sale,
  SaleLineItem,
  SalePayment,
  StoreCopy,
  StoreCreditIntent,
];

export const tables = tablesOf<(typeof entities)[number]>('sales');

export const background: BackgroundOf<(typeof entities)[number]> = {
  card_misses: { writes: 'all' },
  running_totals: { writes: 'all' },
  // Not gift_cards: expired cards are marked every five minutes, and only after a test has moved the clock past 03:00.
  receipt_number_blocks: { writes: 'all' },
  store_credit_intents: { due: `giving_back or created_at < $1 - interval '30 s'` },
};
