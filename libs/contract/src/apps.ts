/**
 * The apps, declared once. Whatever lists, starts or connects apps, or creates their topics, reads this registry; what is written
 * for deployment and in the documents is written from it (`npm run manifests`). Calls go one way, so that no two apps wait for
 * each other.
 */
export interface App {
  /** Default port when `<APP>_LISTEN` sets none; the gateway's serves HTTP, all others gRPC. */
  port: number;
  /** Apps whose rpcs it calls, by `<APP>_ADDRESS`. */
  calls: readonly string[];
  /** Apps whose topics it consumes. */
  consumes: readonly string[];
  /** Ports of further servers of the app, by name: callers address `stream` of webhooks as webhooks_stream. */
  doors?: Readonly<Record<string, number>>;
  /** Consumer groups beside the one of its name, and the apps whose topics each listens to. */
  groups?: Readonly<Record<string, readonly string[]>>;
}

const services = {
  catalog: { port: 50_051, calls: [], consumes: ['inventory', 'purchasing', 'gateway'] },
  customers: { port: 50_053, calls: [], consumes: ['sales', 'catalog', 'gateway'] },
  inventory: { port: 50_052, calls: ['catalog'], consumes: ['sales', 'purchasing', 'gateway'] },
  sales: { port: 50_054, calls: ['catalog', 'customers'], consumes: ['customers', 'gateway'] },
  purchasing: { port: 50_055, calls: ['catalog'], consumes: [] },
  webhooks: {
    port: 50_056,
    calls: [],
    consumes: ['gateway', 'catalog', 'customers', 'inventory', 'sales', 'purchasing'],
    doors: { stream: 50_066 },
  },
} as const satisfies Record<string, App>;

/** The services behind the gateway. */
export const serviceNames = Object.keys(services) as (keyof typeof services)[];

/** In the order in which a local system starts them: each after those it calls. */
export const apps = {
  ...services,
  gateway: { port: 3_000, calls: serviceNames, consumes: [...serviceNames, 'gateway'], groups: { 'gateway-revocations': ['gateway'] } },
} as const satisfies Record<string, App>;

export type AppName = keyof typeof apps;
export type ServiceName = keyof typeof services;

export const appNames = Object.keys(apps) as AppName[];

/** They read rows before the store is known (the hash of a key, an e-mail, what is due), so a cluster has their tables on one machine. */
export const appsBeforeStore: readonly string[] = ['gateway', 'webhooks'] satisfies AppName[];

/** Apps whose tables a cluster can distribute by store. */
export const appsByStore = appNames.filter((app) => !appsBeforeStore.includes(app));

export function callersOf(called: string): AppName[] {
  return appNames.filter((app) => (apps[app].calls as readonly string[]).includes(called));
}

/** Full name of an app's gRPC service: catalog is store.catalog.v1.Catalog. */
export function serviceOf(app: string): string {
  return `store.${app}.v1.${app.charAt(0).toUpperCase()}${app.slice(1)}`;
}

type FurtherDoorOf<Name extends ServiceName> = (typeof services)[Name] extends { doors: infer Doors }
  ? `${Name}_${keyof Doors & string}`
  : never;

/** Names of all services' doors; the LISTEN and ADDRESS variables of a door begin with its name. */
export type Door = ServiceName | { [Name in ServiceName]: FurtherDoorOf<Name> }[ServiceName];

export function doorsOf(app: ServiceName): { door: Door; port: number }[] {
  const { port, doors = {} }: App = apps[app];
  return [{ door: app, port }, ...Object.entries(doors).map(([name, own]) => ({ door: `${app}_${name}` as Door, port: own }))];
}

export function groupsOf(app: AppName): { group: string; topics: string[] }[] {
  const { consumes, groups = {} }: App = apps[app];
  return [[app, consumes] as const, ...Object.entries(groups)].map(([group, consumed]) => ({ group, topics: consumed.map(topicOf) }));
}

export const topics = appNames.map(topicOf);

export function topicOf(app: string): string {
  return `${app}.events`;
}
