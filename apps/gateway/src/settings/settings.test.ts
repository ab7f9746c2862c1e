import { describe, expect, test } from '@jest/globals';
import { isObject, messageFromBody, messageType, parseBody, renderView } from '@store/contract';
import { sql } from '@store/db';
import type { Settings, UpdateSettingsRequest__Output } from '@store/protos/gateway/v1.ts';
import { lockWaits } from '@store/testbed';
import { messageOf, staffCall } from '../../test/gateway-under-test.ts';
import { gateway, shareGateway, store } from '../../test/shared-gateway.ts';
import type { StoreRecord } from '../stores/store-record.ts';

shareGateway({ currency: '£' });

const type = messageType('store.gateway.v1.Settings');
const asStaff = (settings: Settings) => JSON.parse(renderView(type, settings, () => true));
const get = async (by = store) => messageOf(await gateway.verbs.GetSettings({}, staffCall(by.session))).settings!;

/** The request as the pipeline creates it from a JSON body. */
function request(body: object): UpdateSettingsRequest__Output {
  const parsed = parseBody(JSON.stringify(body));
  if (!isObject(parsed)) throw new Error('a body is an object');
  return messageFromBody(messageType('store.gateway.v1.UpdateSettingsRequest'), parsed) as UpdateSettingsRequest__Output;
}
const patch = async (settings: unknown, by = store) =>
  messageOf(await gateway.verbs.UpdateSettings(request({ settings }), staffCall(by.session))).settings!;

const reduced = {
  locale: 'en',
  store: { name: 'Store 1', address: null, phone: null, email: null },
  tax: { mode: 'none', rate: null, name: null, gst_rate: null, gst_name: null, pst_rate: null, pst_name: null },
  province: null,
  timezone: 'Europe/London',
  currency: { symbol: '£' },
  branding: { name: 'Store 1', brand: 'classic', url: null, support_email: null, support_phone: null },
  features: { loyalty: true, customers: true, label_printing: true, additional_tax: true, split_tax: true },
};

describe('GET /settings', () => {
  test('staff see all of them', async () => {
    expect(asStaff(await get())).toEqual({
      ...reduced,
      features: { ...reduced.features, developer_api: true, cannabis: false, stock_locations: false },
      receipt_printer: { enabled: false, header: null, footer: null },
      printer_bridge_address: null,
      scale: { enabled: false, unit: null },
      payment_terminal_location: null,
      payment_gateway_enabled: false,
      ecommerce_enabled: false,
      opening_float: '0.00',
      idle_timeout_minutes: 15,
      discount_presets: [],
      tier_pricing: { enabled: false },
      dual_store: { enabled: false },
      require_second_factor: false,
      country: 'GB',
      currency_code: null,
    });
  });
});

const everything = {
  locale: 'fr',
  store: { name: 'Corner', address: '1 High Street', phone: '+44 20 7946 0000', email: 'Shop@Example.com' },
  tax: { mode: 'split', gst_rate: 5, gst_name: 'GST', pst_rate: '7.00505', pst_name: 'PST', rate: null, name: null },
  province: 'ON',
  timezone: 'America/Toronto',
  currency: { symbol: '$' },
  branding: {
    name: 'Corner',
    brand: 'market',
    url: 'https://example.com',
    support_email: 'help@example.com',
    support_phone: '416 555 0100',
  },
  receipt_printer: { enabled: true, header: 'Hello', footer: 'Bye' },
  printer_bridge_address: '10.0.0.5:9100',
  scale: { enabled: true, unit: 'kg' },
  payment_terminal_location: 'Front',
  payment_gateway_enabled: true,
  ecommerce_enabled: 'true',
  opening_float: 150.005,
  idle_timeout_minutes: 30,
  discount_presets: [{ label: 'Staff', percentage: 10 }],
  tier_pricing: { enabled: true },
  dual_store: { enabled: true },
  country: 'US',
  currency_code: 'USD',
};

describe('PATCH /settings', () => {
  test('every setting can be written, and is read as written', async () => {
    const changed = await gateway.store();
    const answer = asStaff(await patch(everything, changed));
    expect(answer).toMatchObject({
      ...everything,
      store: { ...everything.store, email: 'shop@example.com' },
      tax: { mode: 'split', rate: null, name: null, gst_rate: '5.00', gst_name: 'GST', pst_rate: '7.0051', pst_name: 'PST' },
      ecommerce_enabled: true,
      opening_float: '150.01',
      discount_presets: [{ label: 'Staff', percentage: '10.00' }],
    });
    expect(asStaff(await get(changed))).toEqual(answer);
  });

  test.each([
    ['9.975', '9.975'],
    ['8.87500', '8.875'],
    ['13', '13.00'],
    ['13.1000', '13.10'],
    ['0.0001', '0.0001'],
    ['0.00005', '0.0001'],
    ['100', '100.00'],
  ])('a rate of %s is kept and shown as %s (D217)', async (sent, shown) => {
    const changed = await gateway.store();
    const answer = asStaff(await patch({ tax: { mode: 'split', rate: sent, gst_rate: sent, pst_rate: sent } }, changed));
    expect(answer.tax).toMatchObject({ rate: shown, gst_rate: shown, pst_rate: shown });
    expect(asStaff(await get(changed)).tax).toEqual(answer.tax);
  });

  test('D159: only the keys that are sent change; null empties what may be empty', async () => {
    const changed = await gateway.store();
    const before = asStaff(await patch(everything, changed));
    const after = asStaff(await patch({ store: { phone: null }, discount_presets: [] }, changed));
    expect(after).toEqual({ ...before, store: { ...before.store, phone: null }, discount_presets: [] });
  });

  test('the plan is not a setting: features, subscription and ids cannot be written here', async () => {
    const before = await get();
    await patch({ locale: 'en', features: { cannabis: true }, pos_subscription: 'inactive', store_id: 2, id: 9 });
    expect(await get()).toEqual(before);
  });

  test('D184: a change publishes the whole store, and audits only the changed fields', async () => {
    const changed = await gateway.store();
    await gateway.drain();
    await patch({ timezone: 'America/Toronto', locale: 'en', tax: { mode: 'single', rate: '13', name: 'HST' } }, changed);
    const rows = await gateway.app.db.read<{ internal: { store: StoreRecord; audit: { before: object; after: object } } }>(
      "select internal from gateway.outbox where name = 'store.changed'",
    );
    expect(rows).toHaveLength(1);
    const tax = { mode: 'single', rate: '13.00', name: 'HST', gstRate: '' };
    expect(rows[0]!.internal.store).toMatchObject({ storeId: changed.storeId, timeZone: 'America/Toronto', tax });
    const { before, after } = rows[0]!.internal.audit;
    expect(Object.keys(after).sort()).toEqual(['tax', 'timezone']);
    expect(before).toMatchObject({ timezone: 'Europe/London' });
  });

  test('a patch without changes emits no event', async () => {
    await gateway.drain();
    await patch({ locale: 'en' });
    expect(await gateway.app.db.read('select id from gateway.outbox')).toEqual([]);
  });

  test('two concurrent patches both take effect', async () => {
    const changed = await gateway.store();
    let patches: Promise<unknown>[] = [];
    // Both wait for the store's row before either may write it.
    await gateway.app.db.unit(changed.storeId, async (em) => {
      await sql(em, 'select id from gateway.stores where id = $1 for update', [changed.storeId]);
      patches = [patch({ store: { phone: '+44 20 7946 0001' } }, changed), patch({ store: { address: 'Here' } }, changed)];
      await lockWaits(gateway.app.db, 2);
    });
    await Promise.all(patches);
    expect((await get(changed)).store).toMatchObject({ phone: '+44 20 7946 0001', address: 'Here' });
  });
});
