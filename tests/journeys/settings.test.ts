/** Specification: Settings, and Store settings among the resources. */
import { expect, test } from '@jest/globals';
import { useWorld } from '../kit/use.ts';

const world = await useWorld();
const key = await world.newKey(world.store);

const forKeys = ['locale', 'store', 'tax', 'province', 'timezone', 'currency', 'branding', 'features'];

test('"Data includes: locale, store, tax, …": exactly these keys for a key', async () => {
  const { body, headers } = await world.call('GET', '/settings', { key });
  const { data, meta, ...others } = body;
  expect(others).toEqual({});
  expect(meta).toEqual({ request_id: headers.get('x-request-id'), timestamp: '2026-11-21T09:30:00.000Z' });
  expect(Object.keys(data)).toEqual(forKeys);
  expect(data).toEqual({
    locale: 'en',
    store: { name: expect.any(String), address: null, phone: null, email: null },
    tax: { mode: 'none', rate: null, name: null, gst_rate: null, gst_name: null, pst_rate: null, pst_name: null },
    province: null,
    timezone: 'Europe/London',
    currency: { symbol: '£' },
    branding: { name: expect.any(String), brand: 'classic', url: null, support_email: null, support_phone: null },
    features: { loyalty: true, customers: true, label_printing: true, additional_tax: true, split_tax: true },
  });
});

test('D286: ?include=currency_code adds the ISO 4217 code; other texts are refused', async () => {
  const code = async (path: string) => (await world.call('GET', path, { key })).body.data.currency_code;
  const set = (currency_code: string | null) =>
    world.call('PATCH', '/settings', { token: world.store.token, body: { settings: { currency_code } } });
  expect(await code('/settings?include=currency_code')).toBeNull();
  expect((await set('gbp')).status).toBe(200);
  expect([await code('/settings?include=currency_code'), await code('/settings')]).toEqual(['GBP', undefined]);
  const refused = await set('£');
  expect([refused.status, refused.body.errors]).toEqual([422, ['currency_code is not a known currency']]);
  expect((await set(null)).status).toBe(200);
  expect(await code('/settings?include=currency_code')).toBeNull();
});

test("D36: a new time zone is in force for the next request's timestamps", async () => {
  const token = world.store.token;
  await world.call('POST', '/products', { key, body: { product: { name: 'Zoned' } } });
  const found = async (since: string) => (await world.call('GET', `/products?updated_since=${since}`, { key })).body.data.length;
  const instant = (await world.call('GET', '/products', { key })).body.data[0].updated_at.slice(0, 19);
  expect(await found(`${instant.slice(0, 11)}00:00:00`)).toBe(1);
  await world.call('PATCH', '/settings', { token, body: { settings: { timezone: 'Pacific/Kiritimati' } } });
  const afterInTwoHours = new Date(new Date(`${instant}Z`).getTime() + 7_200_000).toISOString().slice(0, 19);
  // Fourteen hours ahead of UTC: two hours from now by its local time is twelve hours ago.
  expect(await found(afterInTwoHours)).toBe(1);
  await world.call('PATCH', '/settings', { token, body: { settings: { timezone: 'UTC' } } });
  expect(await found(afterInTwoHours)).toBe(0);
});
