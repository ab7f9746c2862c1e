/** The event table of the specification; webhook.test cannot be subscribed to. */
export const eventNames = [
  'sale.completed',
  'sale.voided',
  'product.created',
  'product.updated',
  'product.deleted',
  'customer.created',
  'customer.updated',
  'inventory.adjusted',
  'purchase_order.received',
] as const;

export type EventName = (typeof eventNames)[number];

export function isEventName(name: string): name is EventName {
  return (eventNames as readonly string[]).includes(name);
}
