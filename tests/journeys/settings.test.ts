/** Specification: Settings, and Store settings among the resources. */
import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { openWorld, type World } from './world.ts';

let world: World;
let key: string;
beforeAll(async () => {
  world = await openWorld();
  key = await world.newKey(world.store);
});
afterAll(() => world.close());

const forKeys = ['locale', 'store', 'tax', 'province', 'timezone', 'currency', 'branding', 'features'];
const forStaffOnly = [
  'receipt_printer',
  'printer_bridge_address',
  'scale',
  'payment_terminal_location',
  'payment_gateway_enabled',
  'ecommerce_enabled',
  'opening_float',
  'idle_timeout_minutes',
  'discount_presets',
  'tier_pricing',
  'dual_store',
  'require_second_factor',
];

test('"Data includes: locale, store (name, address, phone, email), tax (…), province, timezone, currency (symbol), branding (…)": exactly these keys for a key', async () => {
  const { data } = (await world.call('GET', '/settings', { key })).body;
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

test('"For key requests the response omits" the staff part; D126: features are five booleans that can be false', async () => {
  await world.setStore(world.store, { features: ['developer_api', 'loyalty'] });
  const answer = await world.call('GET', '/settings', { key });
  for (const name of forStaffOnly) expect(answer.text).not.toContain(name);
  expect(answer.body.data.features).toEqual({
    loyalty: true,
    customers: false,
    label_printing: false,
    additional_tax: false,
    split_tax: false,
  });
  await world.setStore(world.store, {
    features: ['developer_api', 'loyalty', 'customers', 'label_printing', 'additional_tax', 'split_tax'],
  });
});

test('staff of any role see all settings, unwrapped', async () => {
  const { settings } = (await world.call('GET', '/settings', { token: world.store.token })).body;
  expect(Object.keys(settings)).toEqual([...forKeys, ...forStaffOnly]);
  expect(Object.keys(settings.features)).toEqual([
    'loyalty',
    'customers',
    'label_printing',
    'additional_tax',
    'split_tax',
    'developer_api',
    'cannabis',
    'stock_locations',
  ]);
});

test('"GET /settings" needs products:read; every non-GET of a key is the read-only 403', async () => {
  const other = await world.newKey(world.store, { scopes: ['sales:read', 'products:write'] });
  expect((await world.call('GET', '/settings', { key: other })).body).toEqual({ error: 'Insufficient scope. Required: products:read' });
  const answer = await world.call('PATCH', '/settings', { key, body: { settings: { locale: 'fr' } } });
  expect([answer.status, answer.body]).toEqual([403, { error: 'Write operations are not available for this endpoint via API key' }]);
});

test('D159: PATCH /settings by an admin changes only what was sent, and the very next read of a key shows it', async () => {
  const before = (await world.call('GET', '/settings', { key })).body.data;
  const settings = { locale: 'fr', store: { phone: '+44 20 7946 0000' }, tax: { mode: 'single', rate: 13, name: 'VAT' } };
  const patched = await world.call('PATCH', '/settings', { token: world.store.token, body: { settings } });
  expect(patched.status).toBe(200);
  expect((await world.call('GET', '/settings', { key })).body.data).toEqual({
    ...before,
    locale: 'fr',
    store: { ...before.store, phone: '+44 20 7946 0000' },
    tax: { ...before.tax, mode: 'single', rate: '13.00', name: 'VAT' },
  });
});

test.each([
  [{ locale: 'de' }, 'Locale'],
  [{ timezone: 'Mars/Olympus' }, 'Timezone'],
  [{ tax: { mode: 'some' } }, 'Tax mode'],
  [{ tax: 5 }, 'Tax'],
  [{ branding: { brand: 'mine' } }, 'Branding brand'],
  [{ idle_timeout_minutes: 'soon' }, 'Idle timeout minutes'],
  [{ store: { name: 'nul\0' } }, 'Store name'],
])('%j is a 422 and changes nothing', async (settings, field) => {
  const before = (await world.call('GET', '/settings', { token: world.store.token })).text;
  const answer = await world.call('PATCH', '/settings', { token: world.store.token, body: { settings } });
  expect([answer.status, answer.body.error.startsWith('Validation failed')]).toEqual([422, true]);
  expect(answer.body.errors[0].replaceAll(/[._]/g, ' ').toLowerCase()).toContain(field.toLowerCase());
  expect((await world.call('GET', '/settings', { token: world.store.token })).text).toBe(before);
});

test('a change of the time zone is in force for the next request: timestamps without an offset are read in it (D36)', async () => {
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
