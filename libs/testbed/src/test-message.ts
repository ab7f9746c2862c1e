/** Messages of other apps, as the service under test receives them. */
import { randomUUID } from 'node:crypto';
import type { AppName } from '@store/contract';
import type { Message, SaleFact } from '@store/events';

/** Of the system and without a public part, unless the test says otherwise. */
export function testMessage(app: AppName, parts: Pick<Message, 'storeId' | 'name' | 'aggregate'> & Partial<Message>): Message {
  const actor = { type: 'system', key: null, user: null } as const;
  const common = { public: null, internal: null, actor, requestId: 'r', createdAt: '2026-11-20T12:00:00.000Z', version: 1 };
  return { id: randomUUID(), topic: `${app}.events`, ...common, ...parts };
}

/** A store with the features of its plan. */
export function storeMessage(storeId: number, features: string[], version = 1): Message {
  const internal = { store: { timeZone: 'Europe/London', features } };
  return testMessage('gateway', { storeId, name: 'store.changed', aggregate: `store:${storeId}`, internal, version });
}

/** A sale of 10.00 before tax by Sam Hill. */
export function saleMessage(storeId: number, kind: 'completed' | 'voided', changes: Partial<SaleFact> & { id: number }): Message {
  const amounts = { subtotal: '10.00', discount_amount: '0.00', total: '12.00', store_credit: '0.00' };
  const receipt = { receipt_number: `R-${changes.id}`, counted: true, customer_id: null, user: { id: 9, name: 'Sam Hill' }, lines: [] };
  const sale = { ...amounts, ...receipt, ...changes };
  return testMessage('sales', { storeId, name: `sale.${kind}`, aggregate: `sale:${sale.id}`, internal: { sale } });
}
