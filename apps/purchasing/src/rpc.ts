import type { PurchasingDefinition } from '@store/protos/purchasing/v1.ts';
import type { VerbTable } from '@store/rpc';
import { updatePurchaseOrderLine } from './order-lines/update-order-line.ts';
import { createPurchaseOrder } from './purchase-orders/create-purchase-order.ts';
import { getPurchaseOrder } from './purchase-orders/get-purchase-order.ts';
import { invoicePurchaseOrder } from './purchase-orders/invoice-purchase-order.ts';
import { listPurchaseOrders } from './purchase-orders/list-purchase-orders.ts';
import { receivePurchaseOrder } from './purchase-orders/receive-purchase-order.ts';
import { updatePurchaseOrder } from './purchase-orders/update-purchase-order.ts';
import type { Purchasing } from './purchasing.ts';
import { archiveSupplier } from './suppliers/archive-supplier.ts';
import { createSupplier } from './suppliers/create-supplier.ts';
import { getSupplier } from './suppliers/get-supplier.ts';
import { listSuppliers } from './suppliers/list-suppliers.ts';
import { updateSupplier } from './suppliers/update-supplier.ts';

export const verbs: VerbTable<Purchasing, PurchasingDefinition> = {
  ListPurchaseOrders: listPurchaseOrders,
  GetPurchaseOrder: getPurchaseOrder,
  CreatePurchaseOrder: createPurchaseOrder,
  UpdatePurchaseOrder: updatePurchaseOrder,
  InvoicePurchaseOrder: invoicePurchaseOrder,
  ReceivePurchaseOrder: receivePurchaseOrder,
  UpdatePurchaseOrderLine: updatePurchaseOrderLine,
  ListSuppliers: listSuppliers,
  GetSupplier: getSupplier,
  CreateSupplier: createSupplier,
  UpdateSupplier: updateSupplier,
  ArchiveSupplier: archiveSupplier,
};
