import { expect, jest, test } from '@jest/globals';

// What the client reads of a browser when it is loaded.
Object.assign(globalThis, { window: new EventTarget(), localStorage: { getItem: () => null } });
const { call } = await import('./client.ts');

test('a write that takes an Idempotency-Key is not sent without; a dry run has none', async () => {
  const sent = jest.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json({}));
  const customer = { body: { customer: { name: 'Noor' } } };
  await expect(call('createCustomer', customer)).rejects.toThrow('Idempotency-Key missing: createCustomer');
  expect(sent).not.toHaveBeenCalled();
  for (const options of [{ idempotencyKey: 'one' }, { dryRun: true }]) await call('createCustomer', customer, options);
  expect(sent.mock.calls.map(([, init]) => new Headers(init?.headers).get('Idempotency-Key'))).toEqual(['one', null]);
});
