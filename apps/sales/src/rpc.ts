import type { SalesDefinition } from '@store/protos/sales/v1.ts';
import type { VerbTable } from '@store/rpc';
import { closeCashDrawerSession } from './cash-drawer-sessions/close-cash-drawer-session.ts';
import { listCashDrawerSessions } from './cash-drawer-sessions/list-cash-drawer-sessions.ts';
import { moveDrawerCash } from './cash-drawer-sessions/move-drawer-cash.ts';
import { openCashDrawerSession } from './cash-drawer-sessions/open-cash-drawer-session.ts';
import { adjustGiftCard } from './gift-cards/adjust-gift-card.ts';
import { cancelGiftCard } from './gift-cards/cancel-gift-card.ts';
import { createGiftCard } from './gift-cards/create-gift-card.ts';
import { getGiftCard } from './gift-cards/get-gift-card.ts';
import { holdGiftCard } from './gift-cards/hold-gift-card.ts';
import { listGiftCardTransactions } from './gift-cards/list-gift-card-transactions.ts';
import { listHolds } from './gift-cards/list-holds.ts';
import { lookupGiftCard } from './gift-cards/lookup-gift-card.ts';
import { redeemGiftCard } from './gift-cards/redeem-gift-card.ts';
import { releaseHold } from './gift-cards/release-hold.ts';
import { snapshotGiftCards } from './gift-cards/snapshot-gift-cards.ts';
import { updateGiftCard } from './gift-cards/update-gift-card.ts';
import { getDayReport } from './reports/get-day-report.ts';
import { createSale } from './sales/create-sale.ts';
import { getSale } from './sales/get-sale.ts';
import { getSalePayments } from './sales/get-sale-payments.ts';
import { listRecentSales } from './sales/list-recent-sales.ts';
import { listSales } from './sales/list-sales.ts';
import { summarizeSales } from './sales/summarize-sales.ts';
import { updateSale } from './sales/update-sale.ts';
import type { Sales } from './sales.ts';

export const verbs: VerbTable<Sales, SalesDefinition> = {
  AdjustGiftCard: adjustGiftCard,
  CancelGiftCard: cancelGiftCard,
  CreateGiftCard: createGiftCard,
  GetGiftCard: getGiftCard,
  GetDayReport: getDayReport,
  GetSale: getSale,
  GetSalePayments: getSalePayments,
  HoldGiftCard: holdGiftCard,
  ListHolds: listHolds,
  ReleaseHold: releaseHold,
  ListGiftCardTransactions: listGiftCardTransactions,
  ListRecentSales: listRecentSales,
  ListSales: listSales,
  LookupGiftCard: lookupGiftCard,
  RedeemGiftCard: redeemGiftCard,
  UpdateGiftCard: updateGiftCard,
  SnapshotGiftCards: snapshotGiftCards,
  SummarizeSales: summarizeSales,
  CreateSale: createSale,
  UpdateSale: updateSale,
  MoveDrawerCash: moveDrawerCash,
  OpenCashDrawerSession: openCashDrawerSession,
  CloseCashDrawerSession: closeCashDrawerSession,
  ListCashDrawerSessions: listCashDrawerSessions,
};
