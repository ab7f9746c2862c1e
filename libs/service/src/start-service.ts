/** Starts a service from what it declares: configuration, migrations, database, relay, consumer, housekeeping, door. */
import type { EntitySchema } from '@mikro-orm/core';
import { type AppName, apps, groupsOf, serviceNames, serviceOf } from '@store/contract';
import { type Db, forgetOldAnswers, IdempotencyAnswer, type MigrateOptions, migrate, openDb } from '@store/db';
import { eventEntities, forgetOldInbox, type Outbox, Relay, RemoteRelay, type Subscription } from '@store/events';
import { type AnyVerbs, bindVerbs, type Channel, client, connect, type Rpcs, serve } from '@store/rpc';
import { boundedLists } from './bounded-lists.ts';
import { type Config, type Settings, serviceSettings, setting, text } from './config.ts';
import { checkedUrls, databaseUrls, type OwnDatabase } from './database-urls.ts';
import { addressSettings, addressVariable, keySettings, listenVariable } from './doors.ts';
import type { Log } from './log.ts';
import type { Metrics } from './metrics.ts';
import { openRelay } from './open-relay.ts';
import { Lifecycle, type Running, type StartOptions } from './service.ts';
import { measureChannel, measurePool } from './service-metrics.ts';
import { type ConsumerDeclaration, startConsumer } from './start-consumer.ts';
import { type AppTrust, openTrust, readServiceConfig } from './trust.ts';

export interface ServiceParts<S extends Settings = Settings> {
  config: Config<S & typeof serviceSettings>;
  database: OwnDatabase;
  db: Db;
  outbox: Outbox;
  log: Log;
  life: Lifecycle;
  trust: AppTrust;
  /** Registry of its metrics; absent when metrics are not served. */
  metrics: Metrics | undefined;
  /** The channel to an app that the registry lets this one call, and a client over it. */
  channel(app: string): Channel;
  client<Definition>(app: string): Rpcs<Definition>;
}

interface Timer<App> {
  name: string;
  everyMs: number;
  work(app: App): Promise<unknown>;
}

/** The declaration of a service; `Doors` are addresses of further doors, by name. */
export interface ServiceDeclaration<App, S extends Settings = Settings, Doors extends object = object> {
  app: AppName;
  settings?: S;
  /** Throws a BadConfig at values that do not go together. */
  check?(config: Config<S & typeof serviceSettings>, env: NodeJS.ProcessEnv): void;
  migrations: MigrateOptions['migrations'];
  /** One per table of the schema, beside those that every schema has. */
  entities: EntitySchema[];
  open(parts: ServiceParts<S>): App | Promise<App>;
  /** The table of rpc names and verbs; absent: there is no rpc door, and `doors` opens one as `address`. */
  verbs?: AnyVerbs<App>;
  consumer?(app: App): ConsumerDeclaration;
  /** Consumers of its further groups in the registry. */
  groups?(app: App): Record<string, Subscription['handle']>;
  /** Work that is repeated while the service runs, each declared beside what it does. */
  timers?: readonly Timer<App>[];
  /** Loops, and timers that need its parts; they stop with the service. */
  background?(app: App, parts: ServiceParts<S>): void | Promise<void>;
  /** Opens doors beside the rpc one, and returns their addresses by name; they stop with the service. */
  doors?(app: App, parts: ServiceParts<S>): Doors | Promise<Doors>;
}

export const commonEntities: EntitySchema[] = [...eventEntities, IdempotencyAnswer];

const housekeepingEveryMs = 10 * 60_000;

/** Every setting that the service reads: the common ones, its own, its rpc door, the apps that it calls, the keys of calls. */
export function settingsOf<S extends Settings>({ app, settings }: { app: AppName; settings?: S }): Settings & typeof serviceSettings {
  const { port, calls } = apps[app];
  const listens = (serviceNames as readonly string[]).includes(app);
  const listen = setting(text, `127.0.0.1:${port}`, `host:port that ${app} listens on; port 0 takes a free one`);
  return {
    ...serviceSettings,
    ...(listens && { [listenVariable(app)]: listen }),
    ...addressSettings(calls),
    ...keySettings(app),
    ...settings,
  };
}

export function configOf<App, S extends Settings, Doors extends object>(
  declared: ServiceDeclaration<App, S, Doors>,
  env: NodeJS.ProcessEnv,
): Config<S & typeof serviceSettings> & Record<string, string> {
  const config = readServiceConfig(settingsOf(declared), env) as Config<S & typeof serviceSettings> & Record<string, string>;
  declared.check?.(config, env);
  return config;
}

export async function startService<App, S extends Settings, Doors extends object>(
  declared: ServiceDeclaration<App, S, Doors>,
  options: StartOptions,
): Promise<Running & Doors> {
  const config = configOf(declared, options.env);
  const say = (sentence: string) => options.log.warn({ schema: declared.app }, sentence);
  const { sessionUrl } = await checkedUrls(config);
  await migrate({ url: sessionUrl, schema: declared.app, migrations: declared.migrations, say });
  const life = new Lifecycle(options.log);
  try {
    return { ...(await openService(declared, config, life, options)), stop: () => life.stop() };
  } catch (error) {
    await life.stop();
    throw error;
  }
}

/** Opens the parts in order; each stops with `life`, also when a later part fails. */
async function openService<App, S extends Settings, Doors extends object>(
  declared: ServiceDeclaration<App, S, Doors>,
  config: Config<S & typeof serviceSettings> & Record<string, string>,
  life: Lifecycle,
  { log, transport, clock, metrics }: StartOptions,
): Promise<{ address: string } & Doors> {
  const { app: name, entities } = declared;
  const database = databaseUrls(config);
  const { url, sessionUrl, isPooled } = database;
  const schema = { schema: name, entities: [...entities, ...commonEntities] };
  const db = await openDb({ url, isPooled, ...schema, poolMax: config.DATABASE_POOL_MAX, clock });
  life.onStop('database', () => db.close());
  if (metrics) measurePool(metrics, db);
  const trust = openTrust(name, config, db.clock);
  const relay = config.RELAY === 'own' ? openRelay(name, { url: sessionUrl, transport, log }) : new RemoteRelay(db, log);
  const channels = new Map<string, Channel>();
  const openChannel = (called: string) => {
    const channel = connect(config[addressVariable(called)]!, trust.toward(called));
    life.onStop(`${called} client`, () => channel.close());
    if (metrics) measureChannel(metrics, called, channel);
    channels.set(called, channel);
    return channel;
  };
  const channelOf = (called: string) => channels.get(called) ?? openChannel(called);
  const parts: ServiceParts<S> = {
    config,
    database,
    db,
    outbox: { db, wake: () => relay.wake() },
    log,
    life,
    trust,
    metrics,
    channel: channelOf,
    client: <Definition>(called: string) => client<Definition>(channelOf(called), serviceOf(called)),
  };
  const app = await declared.open(parts);
  const consumer = declared.consumer?.(app);
  if (consumer && (config.RELAY === 'own' || !consumer.withRelay)) await startConsumer(name, consumer, { db, log, transport });
  const handlers = declared.groups?.(app) ?? {};
  for (const { group, topics } of groupsOf(name)) {
    const handle = handlers[group];
    if (handle) await transport.subscribe({ group, topics, handle });
  }
  // Before the database closes: a batch in hand would fail, and look like one that cannot be handled.
  life.onStop('consumers', () => transport.stopConsuming?.());
  if (relay instanceof Relay) relay.start();
  life.onStop('relay', () => relay.stop());
  life.every('housekeeping', housekeepingEveryMs, async () => {
    await Promise.all([forgetOldAnswers(db), forgetOldInbox(db, config.EVENT_RETENTION_DAYS)]);
  });
  for (const { name: timer, everyMs, work } of declared.timers ?? []) life.every(timer, everyMs, () => work(app));
  await declared.background?.(app, parts);
  const address = declared.verbs && (await openRpcDoor(declared.app, bindVerbs(declared.verbs, app), config, parts));
  const doors = (await declared.doors?.(app, parts)) as Doors;
  return { ...(address !== undefined && { address }), ...doors } as { address: string } & Doors;
}

async function openRpcDoor(
  name: AppName,
  verbs: object,
  config: Record<string, string>,
  { trust, log, life }: Pick<ServiceParts, 'trust' | 'log' | 'life'>,
): Promise<string> {
  const server = await serve(
    { [serviceOf(name)]: boundedLists(serviceOf(name), verbs) },
    { listen: config[listenVariable(name)]!, trust: trust.door, log },
  );
  life.onStop('rpc', () => server.stop());
  return server.address;
}
