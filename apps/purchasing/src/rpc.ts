/** Purchasing's rpcs: rpc name → verb. */
import type { PurchasingDefinition } from '@store/protos/purchasing/v1/Purchasing.ts';
import type { Verbs } from '@store/rpc';
import { updatePurchaseOrderLine } from './order-lines/update-order-line.ts';
import { createPurchaseOrder } from './purchase-orders/create-purchase-order.ts';
import { getPurchaseOrder } from './purchase-orders/get-purchase-order.ts';
import { invoicePurchaseOrder } from './purchase-orders/invoice-purchase-order.ts';
import { listPurchaseOrders } from './purchase-orders/list-purchase-orders.ts';
import { receivePurchaseOrder } from './purchase-orders/receive-purchase-order.ts';
import { updatePurchaseOrder } from './purchase-orders/update-purchase-order.ts';
import type { Purchasing } from './purchasing.ts';
import { createSupplier } from './suppliers/create-supplier.ts';
import { listSuppliers } from './suppliers/list-suppliers.ts';

export function purchasingVerbs(app: Purchasing): Verbs<PurchasingDefinition> {
  return {
    ListPurchaseOrders: (request, call) => listPurchaseOrders(app, request, call),
    GetPurchaseOrder: (request, call) => getPurchaseOrder(app, request, call),
    CreatePurchaseOrder: (request, call) => createPurchaseOrder(app, request, call),
    UpdatePurchaseOrder: (request, call) => updatePurchaseOrder(app, request, call),
    InvoicePurchaseOrder: (request, call) => invoicePurchaseOrder(app, request, call),
    ReceivePurchaseOrder: (request, call) => receivePurchaseOrder(app, request, call),
    UpdatePurchaseOrderLine: (request, call) => updatePurchaseOrderLine(app, request, call),
    ListSuppliers: (request, call) => listSuppliers(app, request, call),
    CreateSupplier: (request, call) => createSupplier(app, request, call),
  };
}
