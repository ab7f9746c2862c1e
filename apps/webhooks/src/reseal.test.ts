/** Changing SECRET_KEYS as docs/operations/backup-and-keys.md describes: nothing is lost, and a skipped step is refused at the start. */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { parseKeyRing } from '@store/db';
import { InProcessTransport } from '@store/events';
import { logNothing } from '@store/testbed';
import { shareWebhooks, staffCaller, webhooks } from '../test/webhooks-under-test.ts';
import { start } from './main.ts';
import { openSecret } from './secrets.ts';

const [first, second] = [1, 2].map((id) => `${id}:${randomBytes(32).toString('base64')}`) as [string, string];
shareWebhooks(parseKeyRing(first));

const ports = { WEBHOOKS_LISTEN: '127.0.0.1:0', WEBHOOKS_STREAM_LISTEN: '127.0.0.1:0' };
const envWith = (keys: string) => ({ ...process.env, DATABASE_URL: webhooks.url, SECRET_KEYS: keys, ...ports });
const startWith = (keys: string) => start({ env: envWith(keys), log: logNothing, transport: new InProcessTransport() });
const resealWith = (keys: string) => {
  const file = path.join(import.meta.dirname, './run.ts');
  const { status, stdout, stderr } = spawnSync(process.execPath, [file, 'reseal'], { encoding: 'utf8', env: envWith(keys) });
  return { status, lines: stdout.split('\n').filter(Boolean), stderr };
};
const sealedSecrets = () =>
  webhooks.rows<{ id: number; sealed: string }>('select subscription_id as id, sealed from webhooks.subscription_secrets order by 1');

test('the old key can go once the rows have moved; before that the start refuses', async () => {
  const idempotency = { key: 'rotate', hash: Buffer.alloc(32) };
  const subscriptions = [await webhooks.subscribe(), await webhooks.subscribe({ url: 'https://hooks.shop-erp.com/2' })];
  const caller = { ...staffCaller(), idempotency };
  const rotated = await webhooks.id('RotateSecret', subscriptions[0]!.id, caller);
  const before = await sealedSecrets();
  expect(before).toHaveLength(3);

  await expect(startWith(second)).rejects.toThrow(
    'Bad configuration:\n  SECRET_KEYS lacks key 1, which 3 signing secrets name\n  SECRET_KEYS lacks key 1, which 1 stored answers name',
  );
  const halfway = await startWith(`${first},${second}`);
  await halfway.stop();
  const tooEarly = resealWith(second);
  expect([tooEarly.status, await sealedSecrets()]).toEqual([1, before]);
  expect(tooEarly.lines).toContain('webhooks: 3 signing secrets cannot be opened with the keys that are there, and stay.');

  const moved = resealWith(`${second},${first}`);
  expect(moved.status).toBe(0);
  expect(moved.lines).toEqual([
    'webhooks: 3 signing secrets moved to key 2 of SECRET_KEYS.',
    'webhooks: 1 stored answers moved to key 2 of SECRET_KEYS.',
    'webhooks: key 1 of SECRET_KEYS may go.',
  ]);
  const after = await startWith(second);
  await after.stop();
  const [oldRing, newRing] = [parseKeyRing(first), parseKeyRing(second)];
  const texts = (ring: typeof oldRing, rows: typeof before) =>
    rows.map(({ id, sealed }) => openSecret(ring, { storeId: 1, subscriptionId: id }, sealed)).sort();
  expect(texts(newRing, await sealedSecrets())).toEqual(texts(oldRing, before));
  webhooks.app.keyRing = newRing;
  expect((await webhooks.id('RotateSecret', subscriptions[0]!.id, caller)).secret).toBe(rotated.secret);
  expect(resealWith(second).lines).toEqual([
    'webhooks: 0 signing secrets moved to key 2 of SECRET_KEYS.',
    'webhooks: 0 stored answers moved to key 2 of SECRET_KEYS.',
  ]);
});

test('without its settings the command says what it needs, and exits with 1', () => {
  const { status, stderr } = resealWith('');
  expect([status, stderr]).toEqual([1, expect.stringContaining('SECRET_KEYS')]);
});
