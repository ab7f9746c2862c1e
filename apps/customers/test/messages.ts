/** Messages of other apps, as customers receives them. */
import { randomUUID } from 'node:crypto';
import type { Internal, Message, SaleFact } from '@store/events';

interface Told {
  storeId: number;
  topic: string;
  name: string;
  aggregate: string;
  data?: object;
  internal?: Internal;
  version?: number;
}

function message({ data, internal = undefined, version = 1, ...told }: Told): Message {
  return {
    id: randomUUID(),
    ...told,
    public: data ? Buffer.from(JSON.stringify({ id: 'e', event: told.name, data })) : null,
    internal: internal ?? null,
    actor: { type: 'user', key: null, user: { id: 7, name: 'Cleo Clerk' } },
    requestId: 'r',
    createdAt: '2026-11-20T12:00:00.000Z',
    version,
  };
}

export function storeMessage(storeId: number, features: string[], version = 1): Message {
  const internal = { store: { timeZone: 'Europe/London', features } };
  return message({ storeId, topic: 'gateway.events', name: 'store.changed', aggregate: `store:${storeId}`, internal, version });
}

/** With the audit part that a change of the product's own fields has. */
export function productMessage(storeId: number, verb: string, product: { id: number; name?: string }, version = 1): Message {
  const audit = { action: 'product.update', resource_type: 'Product', resource_id: product.id, before: {}, after: {}, ip: '127.0.0.1' };
  const about = { topic: 'catalog.events', name: `product.${verb}`, aggregate: `product:${product.id}`, internal: { audit } };
  return message({ storeId, ...about, data: product, version });
}

export type SaleChanges = Partial<SaleFact> & { id: number; customer_id: number | null };

export function saleMessage(storeId: number, kind: 'completed' | 'voided', changes: SaleChanges): Message {
  const amounts = { subtotal: '10.00', discount_amount: '0.00', total: '12.00', store_credit: '0.00' };
  const sale = { receipt_number: `R-${changes.id}`, counted: true, ...amounts, user: { id: 9, name: 'Sam Hill' }, lines: [], ...changes };
  return message({ storeId, topic: 'sales.events', name: `sale.${kind}`, aggregate: `sale:${sale.id}`, internal: { sale } });
}
