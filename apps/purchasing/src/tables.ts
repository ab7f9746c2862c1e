import { type BackgroundOf, RunningTotal, tablesOf } from '@store/db';
import { PurchaseOrderLine, SupplierDocument } from './order-lines/order-line.ts';
import { OrderNumberBlock } from './order-numbers/order-number-block.ts';
import { PurchaseOrder } from './purchase-orders/purchase-order.ts';
import { Supplier } from './suppliers/supplier.ts';

export const entities = [RunningTotal, OrderNumberBlock, Supplier, PurchaseOrder, PurchaseOrderLine, SupplierDocument];

export const tables = tablesOf<(typeof entities)[number]>('purchasing');

export const background: BackgroundOf<(typeof entities)[number]> = {
  running_totals: { writes: 'all' },
  order_number_blocks: { writes: 'all' },
};
