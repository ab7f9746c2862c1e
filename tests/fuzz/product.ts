/** The whole product on a new database, with a store, keys and sessions for the random requests. */
import { devNull } from 'node:os';
import { scopes } from '@store/contract';
import { openLog } from '@store/service';
import { withClient } from '@store/testbed/with-client';
import { startServices } from '../../tools/local/services.ts';
import { succeed } from '../kit/http.ts';
import { logIn, makeStore, newSecrets } from '../kit/stores.ts';
import { fill } from './fill.ts';

export interface Product {
  baseUrl: string;
  /** Keys with every scope and the highest limit, used in turn: a single one would soon get 429. */
  keys: string[];
  /** Token of an admin's session. */
  session: string;
  /** Sessions that the logout endpoint may end. */
  spareSessions: string[];
  close(): Promise<void>;
}

const keyCount = 20;
const spareSessionCount = 100;
/** The caller's own rows get ids that random requests do not reach, so that it cannot revoke its key or disable itself. */
const ownRowsFrom = 900_000_000;
const owned = ['gateway.staff_users', 'gateway.api_keys', 'gateway.staff_sessions'];

/** `url`: a new database. */
export async function startProduct(url: string): Promise<Product> {
  const running = await startServices(
    { DATABASE_URL: url, GATEWAY_PORT: '0', ...newSecrets() },
    { log: openLog('fuzz', 'error', process.env.FUZZ_LOG ?? devNull) },
  );
  try {
    const baseUrl = `http://${running.address}`;
    await countFrom(url, ownRowsFrom);
    const api = `${baseUrl}/api/v1`;
    const login = await makeStore(url, { timeZone: 'America/Toronto', features });
    const session = await logIn(api, login);
    const body = { api_key: { name: 'Fuzz', scopes, rate_limit: 1000 } };
    const keys = await times(
      keyCount,
      async (): Promise<string> => (await succeed('POST', `${api}/api_keys`, { token: session, body })).key,
    );
    const spareSessions = await times(spareSessionCount, () => logIn(api, login));
    await countFrom(url, 1);
    await fill(api, session);
    return { baseUrl, keys, session, spareSessions, close: () => running.stop() };
  } catch (error) {
    await running.stop();
    throw error;
  }
}

/** The next id of the tables that hold the caller's own rows. */
const countFrom = (url: string, id: number): Promise<void> =>
  withClient(url, async (client) => {
    for (const table of owned) await client.query(`select setval(pg_get_serial_sequence($1, 'id'), $2, false)`, [table, id]);
  });

const features = ['developer_api', 'customers', 'loyalty', 'label_printing', 'additional_tax', 'split_tax', 'cannabis', 'stock_locations'];

async function times<T>(count: number, make: () => Promise<T>): Promise<T[]> {
  const created: T[] = [];
  while (created.length < count) created.push(await make());
  return created;
}
