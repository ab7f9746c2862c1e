/** Sales' rpcs: rpc name → verb. */
import type { SalesDefinition } from '@store/protos/sales/v1/Sales.ts';
import type { Verbs } from '@store/rpc';
import { closeCashDrawerSession } from './cash-drawer-sessions/close-cash-drawer-session.ts';
import { listCashDrawerSessions } from './cash-drawer-sessions/list-cash-drawer-sessions.ts';
import { openCashDrawerSession } from './cash-drawer-sessions/open-cash-drawer-session.ts';
import { cancelGiftCard } from './gift-cards/cancel-gift-card.ts';
import { createGiftCard } from './gift-cards/create-gift-card.ts';
import { getGiftCard } from './gift-cards/get-gift-card.ts';
import { holdGiftCard } from './gift-cards/hold-gift-card.ts';
import { lookupGiftCard } from './gift-cards/lookup-gift-card.ts';
import { redeemGiftCard } from './gift-cards/redeem-gift-card.ts';
import { snapshotGiftCards } from './gift-cards/snapshot-gift-cards.ts';
import { createSale } from './sales/create-sale.ts';
import { getSale } from './sales/get-sale.ts';
import { listRecentSales } from './sales/list-recent-sales.ts';
import { listSales } from './sales/list-sales.ts';
import { summarizeSales } from './sales/summarize-sales.ts';
import { updateSale } from './sales/update-sale.ts';
import type { Sales } from './sales.ts';

export function salesVerbs(app: Sales): Verbs<SalesDefinition> {
  return {
    CancelGiftCard: (request, call) => cancelGiftCard(app, request, call),
    CreateGiftCard: (request, call) => createGiftCard(app, request, call),
    GetGiftCard: (request, call) => getGiftCard(app, request, call),
    GetSale: (request, call) => getSale(app, request, call),
    HoldGiftCard: (request, call) => holdGiftCard(app, request, call),
    ListRecentSales: (request, call) => listRecentSales(app, request, call),
    ListSales: (request, call) => listSales(app, request, call),
    LookupGiftCard: (request, call) => lookupGiftCard(app, request, call),
    RedeemGiftCard: (request, call) => redeemGiftCard(app, request, call),
    SnapshotGiftCards: (request, call) => snapshotGiftCards(app, request, call),
    SummarizeSales: (request, call) => summarizeSales(app, request, call),
    CreateSale: (request, call) => createSale(app, request, call),
    UpdateSale: (request, call) => updateSale(app, request, call),
    OpenCashDrawerSession: (request, call) => openCashDrawerSession(app, request, call),
    CloseCashDrawerSession: (request, call) => closeCashDrawerSession(app, request, call),
    ListCashDrawerSessions: (request, call) => listCashDrawerSessions(app, request, call),
  };
}
