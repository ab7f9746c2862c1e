import { expect, test } from '@jest/globals';
import { endpoints } from './endpoints.ts';
import { optionsOf } from './load.ts';

const manyItems = 1_000;
const longMs = 30_000;

/** Take many items, or long, and add one or two events whatever they take; a replay adds deliveries, and no events. */
const fewEvents = new Set(['CreatePurchaseOrder', 'InvoicePurchaseOrder', 'ReceivePurchaseOrder', 'ReplaySubscription', 'ReplayMonitored']);

test('D258: what takes lists of 1,000 and more, or 30 s to write, is a bulk endpoint', () => {
  const listMax = (type: { fieldsArray: { resolve(): { resolvedType: unknown } }[] }, depth = 3): number =>
    Math.max(
      0,
      ...type.fieldsArray.map((field) => {
        const own = Number(optionsOf(field as never).max_items ?? 0);
        const { resolvedType } = field.resolve();
        const nested =
          resolvedType && depth > 0 && 'fieldsArray' in (resolvedType as object) ? listMax(resolvedType as never, depth - 1) : 0;
        return Math.max(own, nested);
      }),
    );
  const found = endpoints().filter(
    ({ httpMethod, request, deadlineMs }) => httpMethod !== 'GET' && (deadlineMs >= longMs || listMax(request) >= manyItems),
  );
  const wrong = found.filter(({ rpcName, bulk }) => bulk === fewEvents.has(rpcName));
  expect(wrong.map(({ rpcName }) => rpcName)).toEqual([]);
  expect(found.length).toBeGreaterThan(10);
});
