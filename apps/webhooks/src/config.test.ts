import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { BadConfig, configOf } from '@store/service';
import { throwAwayCa } from '@store/testbed/certificates';
import { webhooks } from './main.ts';

const readSettings = (env: NodeJS.ProcessEnv) => configOf(webhooks, env);
const needed = { DATABASE_URL: 'postgres://localhost/store', SECRET_KEYS: `1:${randomBytes(32).toString('base64')}` };

test("without settings for tests waits are the specification's and nothing is allowed", () => {
  const config = readSettings(needed);
  expect(config.WEBHOOK_RETRY_WAITS_MS).toEqual([60_000, 300_000, 1_800_000, 7_200_000]);
  expect(config.WEBHOOK_ALLOW_CIDRS.rules).toEqual([]);
  expect(config.WEBHOOK_CA_FILE).toBeUndefined();
});

test.each(['WEBHOOK_ALLOW_CIDRS', 'WEBHOOK_CA_FILE', 'WEBHOOK_RETRY_WAITS_MS'])(
  '%s is refused when NODE_ENV is production (D153 and D181)',
  (name) => {
    const folder = mkdtempSync(path.join(tmpdir(), 'config-'));
    const file = path.join(folder, 'ca.pem');
    writeFileSync(file, throwAwayCa().caPem);
    const values: Record<string, string> = { WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8', WEBHOOK_CA_FILE: file, WEBHOOK_RETRY_WAITS_MS: '1,2,3,4' };
    const env = { ...needed, [name]: values[name]! };
    expect(() => readSettings(env)).not.toThrow();
    expect(() => readSettings({ ...env, NODE_ENV: 'production' })).toThrow(`${name} is for tests and refused in production`);
    expect(() => readSettings({ ...needed, [name]: '', NODE_ENV: 'production' })).not.toThrow();
    rmSync(folder, { recursive: true });
  },
);

test('WEBHOOK_DENY_CIDRS is accepted in production', () => {
  const env = { ...needed, NODE_ENV: 'production', WEBHOOK_DENY_CIDRS: '93.184.216.0/24, 2606:4700::/32' };
  const { WEBHOOK_DENY_CIDRS: denied } = readSettings(env);
  expect([denied.check('93.184.216.255'), denied.check('93.184.217.0')]).toEqual([true, false]);
  expect([denied.check('2606:4700::1', 'ipv6'), denied.check('2606:4701::', 'ipv6')]).toEqual([true, false]);
});

test.each([
  ['WEBHOOK_RETRY_WAITS_MS', '1,2,3'],
  ['WEBHOOK_RETRY_WAITS_MS', '1,2,3,x'],
  ['WEBHOOK_RETRY_WAITS_MS', '1,,3,4'],
  ['WEBHOOK_ALLOW_CIDRS', '127.0.0.1/33'],
  ['WEBHOOK_ALLOW_CIDRS', 'localhost'],
  ['WEBHOOK_DENY_CIDRS', '198.18.0.0/15,here'],
  ['WEBHOOK_CA_FILE', '/no/such/file.pem'],
  ['SECRET_KEYS', '1:AAAA'],
])('%s=%s stops the start and is named', (name, value) => {
  expect(() => readSettings({ ...needed, [name]: value })).toThrow(BadConfig);
  expect(() => readSettings({ ...needed, [name]: value })).toThrow(name);
});
