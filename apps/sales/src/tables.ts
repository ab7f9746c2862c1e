/** The tables of sales: the entities that declare them, and typed statements over them. */
import { RunningTotal, tablesOf } from '@store/db';
import { StoreCopy } from '@store/service';
import { CashDrawerSession } from './cash-drawer-sessions/cash-drawer-session.ts';
import { Customer } from './customers/customer.ts';
import { GiftCard } from './gift-cards/gift-card.ts';
import { GiftCardTransaction } from './gift-cards/gift-card-transaction.ts';
import { ReceiptNumberBlock } from './receipt-numbers/receipt-number-block.ts';
import { Sale } from './sales/sale.ts';
import { SaleLineItem } from './sales/sale-line-item.ts';
import { SalePayment } from './sales/sale-payment.ts';
import { StoreCreditIntent } from './store-credit/store-credit-intent.ts';

export const entities = [
  CashDrawerSession,
  Customer,
  GiftCard,
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
