/** PostgreSQL over TLS, as `sslmode` and `sslrootcert` of DATABASE_URL ask for it: for every connection, those of the pool included. */
import { chownSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { migrate, newSession, openDb } from '@store/db';
import { throwAwayCa } from '@store/testbed/certificates';
import { temporaryFolder } from '@store/testbed/temporary-folder';
import { withClient } from '@store/testbed/with-client';
import { type OwnServer, ownPostgres } from '../kit/own-servers.ts';
import { openBeforeAll } from '../kit/use.ts';

const isEncrypted = 'select ssl from pg_stat_ssl where pid = pg_backend_pid()';
let server: OwnServer;
const folder = temporaryFolder();
const ours = throwAwayCa();

openBeforeAll(async (opened) => {
  server = await opened(ownPostgres());
  writeFileSync(path.join(folder, 'ca.pem'), ours.caPem);
  writeFileSync(path.join(folder, 'other.pem'), throwAwayCa().caPem);
  await present(ours.issue({ names: ['localhost'] }));
});

/** The server shows this certificate to whoever asks for TLS from now on. */
async function present({ key, cert }: { key: string; cert: string }): Promise<void> {
  await withClient(server.address, async (admin) => {
    const { rows } = await admin.query<{ data_directory: string }>('show data_directory');
    const dir = rows[0]!.data_directory;
    const { uid, gid } = statSync(dir);
    for (const [name, pem] of Object.entries({ 'server.key': key, 'server.crt': cert })) {
      writeFileSync(path.join(dir, name), pem, { mode: 0o600 });
      chownSync(path.join(dir, name), uid, gid);
    }
    await admin.query('alter system set ssl = on');
    await admin.query('select pg_reload_conf()');
  });
}

const urlWith = (query: string) => server.address.replace(/@[^:/]+/, '@localhost') + query;
const verified = (authority: string) => `?sslmode=verify-full&sslrootcert=${path.join(folder, authority)}`;

/** What each kind of connection says of itself: those of the pool, and those that are opened alone. */
async function encrypted(url: string): Promise<unknown[]> {
  await migrate({ url, schema: 'tls', migrations: {} });
  const db = await openDb({ url, schema: 'tls', entities: [] });
  const alone = newSession({ url, applicationName: 'tls' });
  try {
    await alone.connect();
    return [...(await db.read<{ ssl: boolean }>(isEncrypted)), ...(await alone.query(isEncrypted)).rows].map(({ ssl }) => ssl);
  } finally {
    await db.close();
    await alone.end();
  }
}

test('with sslmode=verify-full every connection is encrypted', async () => {
  expect(await encrypted(urlWith(verified('ca.pem')))).toEqual([true, true]);
});

test('without sslmode none is', async () => {
  expect(await encrypted(urlWith(''))).toEqual([false, false]);
});

test("a server with another authority's certificate gets no connection", async () => {
  await expectRefused(urlWith(verified('other.pem')));
});

test('a server whose certificate is for another name gets none either', async () => {
  await present(ours.issue({ names: ['elsewhere.example'] }));
  await expectRefused(urlWith(verified('ca.pem')));
});

async function expectRefused(url: string): Promise<void> {
  await expect(migrate({ url, schema: 'tls', migrations: {} })).rejects.toThrow(/certificate|altnames/i);
  await expect(openDb({ url, schema: 'tls', entities: [] })).rejects.toThrow(/certificate|altnames/i);
}
