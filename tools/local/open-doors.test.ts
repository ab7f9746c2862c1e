import { expect, test } from '@jest/globals';
import { appNames } from '@store/contract';
import { InProcessTransport } from '@store/events';
import { BadConfig } from '@store/service';
import { logNothing } from '@store/testbed/log';
import { settingsOfApp, startApp } from './apps.ts';
import { newCallKeys } from './local-secrets.ts';

/** The admin panel is no app of the registry: it has no process. */
const apps: string[] = [...appNames];
const ring = `1:${Buffer.alloc(32).toString('base64')}`;
/** A database that does not exist: a start that gets this far fails with another error. */
const DATABASE_URL = 'postgres://nobody@127.0.0.1:1/none';

const doors: [string, string][] = [];
for (const app of apps) {
  for (const name of Object.keys(await settingsOfApp(app))) if (/_(LISTEN|ADDRESS)$/.test(name)) doors.push([app, name]);
}

test.each(doors)('%s with a %s beyond this machine does not start without the keys of its calls', async (app, name) => {
  const env = { DATABASE_URL, KEY_PEPPERS: ring, SECRET_KEYS: ring, [name]: '0.0.0.0:0' };
  const attempt = (more: NodeJS.ProcessEnv) =>
    startApp(app, { env: { ...env, ...more }, log: logNothing, transport: new InProcessTransport() });
  await expect(attempt({})).rejects.toThrow(`${name} is 0.0.0.0:0, beyond this machine: `);
  await expect(attempt(newCallKeys())).rejects.not.toBeInstanceOf(BadConfig);
});

test('the doors that are tried are those of every app but the gateway', () => {
  expect(new Set(doors.filter(([, name]) => name.endsWith('_LISTEN')).map(([app]) => app))).toEqual(
    new Set(apps.filter((app) => app !== 'gateway')),
  );
});
