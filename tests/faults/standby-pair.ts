/** PostgreSQL with a synchronous standby, and one address that follows whichever of the two leads, as that of a cluster manager does. */
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { until } from '@store/testbed/until';
import { withClient } from '@store/testbed/with-client';
import { type RunningServer, startPostgres } from '../../tools/local/postgres.ts';
import { openTcpProxy, type TcpProxy } from '../kit/tcp-proxy.ts';
import { baseBackup } from './base-backup.ts';

export interface StandbyPair {
  /** Of the one that leads. */
  url: string;
  /** The leader ends without a clean shutdown, and every connection to it breaks. */
  crashLeader(): void;
  /** The standby takes over: it leads by itself, and the address leads to it. */
  promote(): Promise<void>;
  close(): Promise<void>;
}

const attachedWithinMs = 60_000;
const firstPort = 31_000;
const silent = () => undefined;

export async function startStandbyPair(): Promise<StandbyPair> {
  const dir = mkdtempSync(path.join(os.tmpdir(), 'store-standby-'));
  // PostgreSQL refuses to run as root, so it gets a user of its own where the tests run as root.
  chmodSync(dir, 0o755);
  const [primaryDir, standbyDir] = [path.join(dir, 'primary'), path.join(dir, 'standby')];
  const proxy = await openTcpProxy();
  const running: RunningServer[] = [];
  const close = async () => {
    for (const server of running.reverse()) await server.stop();
    await proxy.close();
    rmSync(dir, { recursive: true, force: true });
  };
  try {
    const primary = await startPostgres({ dataDir: primaryDir, port: firstPort, durable: true, log: silent });
    running.push(primary);
    await copyOf(primary.url, primaryDir, standbyDir);
    const standby = await startPostgres({ dataDir: standbyDir, port: firstPort + 1, durable: true, log: silent });
    running.push(standby);
    await waitForStandby(primary.url);
    return { ...follow(proxy, primary, standby), close };
  } catch (error) {
    await close();
    throw error;
  }
}

function follow(proxy: TcpProxy, primary: RunningServer, standby: RunningServer): Omit<StandbyPair, 'close'> {
  const leadTo = ({ url }: RunningServer) => proxy.forwardTo(Number(new URL(url).port));
  leadTo(primary);
  const url = new URL(primary.url);
  url.port = String(proxy.port);
  return {
    url: url.href,
    crashLeader: () => {
      process.kill(primary.pid, 'SIGQUIT');
      proxy.drop();
    },
    promote: async () => {
      await withClient(standby.url, (client) => client.query('select pg_promote(true, 60)'));
      leadTo(standby);
      proxy.heal();
    },
  };
}

function copyOf(url: string, from: string, to: string): Promise<void> {
  const { hostname, port, username, password } = new URL(url);
  const conninfo = `host=${hostname} port=${port} user=${username} password=${password} application_name=standby`;
  return baseBackup({ url, from, to, as: 'standby', settings: async () => `primary_conninfo = '${conninfo}'\n` });
}

/** From then on a commit is acknowledged only when the standby has it on its disk. */
async function waitForStandby(url: string): Promise<void> {
  await withClient(url, async (client) => {
    await client.query(`alter system set synchronous_standby_names = 'standby'`);
    await client.query('select pg_reload_conf()');
    const isSynchronous = async () => {
      const { rowCount } = await client.query(`select from pg_stat_replication where sync_state = 'sync' and state = 'streaming'`);
      return rowCount === 1;
    };
    await until(isSynchronous, attachedWithinMs);
  });
}
