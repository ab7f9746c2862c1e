/** One process per app on PostgreSQL, Redis and Kafka: the layout of production on one machine. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { type AppName, appNames, apps, doorsOf, serviceNames } from '@store/contract';
import { addressVariable, keysVariable, listenVariable, pairsOf } from '@store/service';
import { CannotStart } from './cannot-start.ts';
import { freePort } from './free-port.ts';
import { newCallKeys } from './local-secrets.ts';
import { Member, type MemberOptions, said } from './member.ts';
import { portIsOpen } from './port-is-open.ts';
import { schemaUrls } from './schema-urls.ts';

export interface FleetOptions extends MemberOptions {
  /** Gateways side by side; the first one takes GATEWAY_PORT. */
  gateways?: number;
  /** Additional processes of an app, such as { webhooks: 1 }: they consume and deliver, and without `places` receive no calls. */
  besides?: Record<string, number>;
  /**
   * Processes that publish the events of all services (1); 0: each service publishes its own.
   */
  relays?: number;
  /** First port to try for the services. */
  firstPort?: number;
  /** First port to try for the /healthz, /readyz and /metrics of each process; absent: none answers them. */
  healthPort?: number;
  /** Where services listen and under which name they are found; absent: each door has a port of 127.0.0.1. */
  places?: Places;
  /** The address of each app's database through a pooler; absent: none. */
  pooled?(urls: string[]): Promise<(url: string) => string>;
}

/** Several processes of an app share one name and port, each at an address of its own, as behind a headless Service. */
export interface Places {
  nameOf(app: string): string;
  /** The address of the next process of that app. */
  next(app: string): string;
}

export interface Fleet {
  /** Base URLs of the gateways. */
  gateways: string[];
  members: Member[];
  /** The member of that name, such as catalog or gateway-2. */
  member(name: string): Member;
  stop(): Promise<void>;
}

const startMaxMs = 60_000;
const pollMs = 30;
const firstPortDefault = apps.catalog.port;

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  mkdirSync(options.logDir, { recursive: true });
  const members: Member[] = [];
  const { addresses, listens } = await placeDoors(options);
  /** The environment of every process. */
  const shared = { ...addresses };
  const fresh = newCallKeys();
  /** The keys of an app's own pairs, and of no other. */
  const keysOf = (app: AppName) =>
    Object.fromEntries(
      pairsOf(app)
        .map(keysVariable)
        .map((name) => [name, options.env[name] || process.env[name] || fresh[name]]),
    );
  const urls = await schemaUrls(databaseUrl(options), appNames, options.log ?? (() => undefined));
  const through = await options.pooled?.(Object.values(urls));
  /** The addresses of a schema, in variables with that prefix. */
  const databaseOf = (app: AppName, prefix = '') => ({
    [`${prefix}DATABASE_URL`]: through ? through(urls[app]!) : urls[app]!,
    ...(through && { [`${prefix}DATABASE_SESSION_URL`]: urls[app]! }),
  });
  const { relays = 1 } = options;
  const settingsOf = (app: AppName) => ({ ...shared, ...keysOf(app), RELAY: relays > 0 ? 'elsewhere' : 'own', ...databaseOf(app) });
  // Any order works; the registry's has the fewest retries.
  for (const app of serviceNames) {
    const own = listens[app]!;
    members.push(new Member(app, app, { ...settingsOf(app), ...own }, options));
    for (let number = 2; number <= 1 + (options.besides?.[app] ?? 0); number++)
      members.push(new Member(`${app}-${number}`, app, { ...settingsOf(app), ...besideListens(own, options.places?.next(app)) }, options));
  }
  const gateways: string[] = [];
  let gatewayPort = Number(options.env.GATEWAY_PORT || 3_000);
  for (let number = 1; number <= (options.gateways ?? 1); number++) {
    gatewayPort = await freePort(gatewayPort);
    gateways.push(`http://127.0.0.1:${gatewayPort}`);
    members.push(
      new Member(
        number === 1 ? 'gateway' : `gateway-${number}`,
        'gateway',
        { ...settingsOf('gateway'), GATEWAY_PORT: String(gatewayPort++) },
        options,
      ),
    );
  }
  const relayEnv = Object.assign({}, ...appNames.map((app) => databaseOf(app, `${app.toUpperCase()}_`)));
  for (let number = 1; number <= relays; number++)
    members.push(new Member(number === 1 ? 'relay' : `relay-${number}`, 'relay', { ...shared, ...relayEnv }, options));
  const fleet: Fleet = {
    gateways,
    members,
    member: (name) => {
      const found = members.find((member) => member.name === name);
      if (!found) throw new Error(`no process is called ${name}`);
      return found;
    },
    stop: async () => {
      // Gateways first, so that no request is under way when the services stop, in any order and at once.
      const isGateway = ({ name }: Member) => name.startsWith('gateway');
      await Promise.all(members.filter(isGateway).map((member) => member.stop()));
      await Promise.all(members.filter((member) => !isGateway(member)).map((member) => member.stop()));
    },
  };
  let healthPort = options.healthPort;
  try {
    for (const member of members) {
      if (healthPort) {
        member.healthPort = await freePort(healthPort);
        healthPort = member.healthPort + 1;
      }
      member.start();
    }
    for (const address of Object.values(listens).flatMap((own) => Object.values(own))) await until(() => portIsOpen(address), members);
    for (const url of gateways) await until(() => answers(`${url}/readyz`), members);
    return fleet;
  } catch (error) {
    await fleet.stop();
    throw error;
  }
}

/** The same doors at an address of its own; without one, at ports that are not called. */
function besideListens(own: Record<string, string>, host: string | undefined): Record<string, string> {
  const at = (address: string) => (host ? `${host}:${address.split(':')[1]}` : '127.0.0.1:0');
  return Object.fromEntries(Object.entries(own).map(([listen, address]) => [listen, at(address)]));
}

/** The address of each door as callers use it, and what the first process of each app listens on; as variables. */
async function placeDoors({ places, firstPort }: FleetOptions): Promise<{
  addresses: Record<string, string>;
  listens: Record<string, Record<string, string>>;
}> {
  const addresses: Record<string, string> = {};
  const listens: Record<string, Record<string, string>> = {};
  let port = firstPort ?? firstPortDefault;
  for (const app of serviceNames) {
    const host = places?.next(app) ?? '127.0.0.1';
    listens[app] = {};
    for (const { door } of doorsOf(app)) {
      port = await freePort(port);
      addresses[addressVariable(door)] = `${places?.nameOf(app) ?? host}:${port}`;
      listens[app][listenVariable(door)] = `${host}:${port++}`;
    }
  }
  return { addresses, listens };
}

function databaseUrl({ env }: FleetOptions): string {
  const url = env.DATABASE_URL || process.env.DATABASE_URL;
  if (!url) throw new Error('a fleet needs DATABASE_URL');
  return url;
}

async function until(ready: () => Promise<boolean>, members: Member[]): Promise<void> {
  const giveUpAt = Date.now() + startMaxMs;
  while (!(await ready())) {
    const ended = members.find((member) => !member.running);
    if (ended) throw new CannotStart(`${ended.name} did not start.${said(ended)}`);
    if (Date.now() > giveUpAt)
      throw new CannotStart(
        `The services did not answer within ${startMaxMs / 1_000} s; their logs say why: ${path.dirname(members[0]!.logFile)}`,
      );
    await wait(pollMs);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(1_000) })).ok;
  } catch (error) {
    // By name: the errors of a test's fetch come from another realm, so instanceof fails.
    if (['TypeError', 'TimeoutError'].includes((error as Error).name)) return false;
    throw error;
  }
}
