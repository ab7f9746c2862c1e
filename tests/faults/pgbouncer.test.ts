/** Behind PgBouncer, in the modes that work, all is as without it; what could not work does not start. */
import { describe, expect, test } from '@jest/globals';
import { checkPooler, closeSession, makeSchemaRoles, newSession, roleUrl } from '@store/db';
import { testDatabase } from '@store/testbed/database';
import { until } from '@store/testbed/until';
import { type FleetWorld, openFleetWorld } from '../kit/fleet-world.ts';
import { send } from '../kit/http.ts';
import { outboxRows } from '../kit/outbox-rows.ts';
import { type PgBouncer, pgBouncerFor, startPgBouncer } from '../kit/pgbouncer.ts';
import { openBeforeAll } from '../kit/use.ts';

const withinMs = 30_000;
const logins = 6;

describe.each(['session', 'transaction'] as const)('PgBouncer in %s mode', (mode) => {
  const installed = pgBouncerFor(mode) ? test : test.skip;
  let world: FleetWorld;
  let bouncer: PgBouncer;
  let own: string;
  let key: string;

  openBeforeAll(async (opened) => {
    if (!pgBouncerFor(mode)) return;
    const pooled = async (urls: string[]) => {
      bouncer = await opened(startPgBouncer({ mode, urls }));
      own = bouncer.through(urls.find((url) => url.includes('_catalog'))!);
      return bouncer.through;
    };
    world = await opened(openFleetWorld({ gateways: 2, pooled }));
    key = (await world.newKey()).key;
  });

  const newProduct = (name: string, gateway = 0) => {
    const body = { product: { name, price: '2.00' } };
    return send('POST', `${world.api[gateway]}/products`, { key, body, idempotencyKey: name });
  };

  installed('publishes what it writes, and a revoked key is refused by every gateway', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, (_, n) => newProduct(`pooled-${n}`, n % 2)));
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([201]));
    await until(async () => (await outboxRows(world.database)) === 0, withinMs);
    const other = await world.newKey();
    for (const api of world.api) expect((await send('GET', `${api}/key`, { key: other.key })).status).toBe(200);
    await world.call('DELETE', `/api_keys/${other.id}`, { token: world.token });
    for (const api of world.api) expect((await send('GET', `${api}/key`, { key: other.key })).status).toBe(401);
  });

  installed('leaves no setting and no lock of a process on the connections of others', async () => {
    const clients = Array.from({ length: logins }, () => newSession({ url: own, applicationName: 'looks' }));
    try {
      const found = await Promise.all(
        clients.map(async (client) => {
          await client.connect();
          await client.query('begin');
          const { rows } = await client.query(
            `select current_setting('enable_seqscan') as scans, pg_backend_pid() as pid,
               exists (select from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()) as locks`,
          );
          return rows[0];
        }),
      );
      expect(new Set(found.map(({ pid }) => pid)).size).toBe(logins);
      for (const { scans, locks } of found) expect({ scans, locks }).toEqual({ scans: 'on', locks: false });
    } finally {
      await Promise.all(clients.map((client) => closeSession(client)));
    }
  });

  installed('loses nothing when PgBouncer is killed: a repeated request finds what was written', async () => {
    const names = Array.from({ length: 60 }, (_, n) => `cut-${n}`);
    const first = Promise.all(names.map((name) => newProduct(name)));
    await bouncer.kill();
    await bouncer.start();
    await first;
    for (const name of names) await until(async () => (await newProduct(name)).status === 201, withinMs);
    const { rows } = await world.database.query(`select count(*)::int as n from catalog.products where name like 'cut-%'`);
    expect(rows[0].n).toBe(names.length);
    await until(async () => (await outboxRows(world.database)) === 0, withinMs);
  });
});

describe('the check at the start', () => {
  const installed = pgBouncerFor('session') ? test : test.skip;
  let url: string;
  let own: string;
  let open: (settings?: Record<string, string>) => Promise<PgBouncer>;
  openBeforeAll(async (opened) => {
    ({ url } = await opened(testDatabase('pooled', async () => undefined, [])));
    const role = { schema: 'shop', password: 'secret' };
    await makeSchemaRoles(url, [role]);
    own = roleUrl(url, role);
    open = (settings = {}) => opened(startPgBouncer({ mode: 'session', urls: [own, url], settings }));
  });

  test('takes PostgreSQL itself', async () => {
    await checkPooler({ url: own, sessionUrl: own });
  });

  installed('takes a pooler for requests beside PostgreSQL itself, and refuses it for sessions', async () => {
    const { through } = await open();
    await checkPooler({ url: through(own), sessionUrl: own });
    await expect(checkPooler({ url: through(own), sessionUrl: through(own) })).rejects.toThrow(
      'set DATABASE_SESSION_URL to PostgreSQL itself',
    );
    await expect(checkPooler({ url: own, sessionUrl: through(own) })).rejects.toThrow(
      'DATABASE_SESSION_URL leads through a connection pooler',
    );
  });

  installed('refuses a pooler that mixes up prepared statements', async () => {
    const { through } = await open({ pool_mode: 'transaction', default_pool_size: '1' });
    await expect(checkPooler({ url: through(own), sessionUrl: own })).rejects.toThrow('max_prepared_statements');
  });

  installed('refuses a role without its settings, and a pooler that refuses theirs', async () => {
    const { through } = await open();
    await expect(checkPooler({ url: through(url), sessionUrl: url })).rejects.toThrow(
      'idle_in_transaction_session_timeout, statement_timeout are not in force',
    );
    const refusing = await open({ ignore_startup_parameters: 'extra_float_digits' });
    await expect(checkPooler({ url: refusing.through(own), sessionUrl: own })).rejects.toThrow('ignore_startup_parameters');
  });
});
