import { afterAll, beforeAll, expect, test } from '@jest/globals';
import { configOf } from '@store/service';
import { goodUrl, refused, type WebhooksUnderTest, webhooksUnderTest } from '../../test/webhooks-under-test.ts';
import { webhooks as declared } from '../main.ts';

let webhooks: WebhooksUnderTest;
beforeAll(async () => {
  webhooks = await webhooksUnderTest();
});
afterAll(() => webhooks.close());

const ownHost = (url: string) =>
  configOf(declared, { DATABASE_URL: 'postgres://x', SECRET_KEYS: `1:${Buffer.alloc(32).toString('base64')}`, PUBLIC_URL: url }).PUBLIC_URL;

test("a url at this API's own host and port is refused when saved and changed, in any spelling; another port is not", async () => {
  webhooks.app.ownHost = ownHost('https://Hooks.Shop-Erp.com/api/v1');
  const elsewhere = await webhooks.subscribe({ url: 'https://hooks.shop-erp.com:8443/in' });
  const answer = { kind: 'invalid', message: 'Validation failed', extra: { errors: ['Url must not be this API itself'] } };
  for (const url of [goodUrl, 'https://HOOKS.shop-erp.com.:443/api/v1/products', 'https://hooks.shop-erp.com']) {
    expect(await refused(webhooks.subscribe({ url }))).toMatchObject(answer);
    expect(await refused(webhooks.patch(elsewhere.id, { url }))).toMatchObject(answer);
  }
});

test('without PUBLIC_URL nothing is checked; one that is not a URL stops the start', async () => {
  webhooks.app.ownHost = ownHost('');
  expect(webhooks.app.ownHost).toBeUndefined();
  await webhooks.subscribe({ url: goodUrl });
  expect(ownHost('http://api.store.example:3000')).toEqual({ host: 'api.store.example', port: 3000 });
  for (const url of ['api.store.example', 'ftp://api.store.example']) expect(() => ownHost(url)).toThrow(/PUBLIC_URL must be https/);
});
