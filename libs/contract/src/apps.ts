/**
 * The apps, declared once: whoever lists apps, starts them, connects them or makes their topics derives it from here.
 * Calls go one way, so that no two apps wait for each other: gateway to all, inventory to catalog.
 */
export interface App {
  /** Port of its door when its `<APP>_LISTEN` names none; the gateway's is HTTP, all others' are gRPC. */
  port: number;
  /** Apps whose rpcs it calls, by `<APP>_ADDRESS`. */
  calls: readonly string[];
  /** Apps whose topics it listens to. */
  hears: readonly string[];
}

const services = {
  catalog: { port: 50_051, calls: [], hears: ['inventory', 'gateway'] },
  inventory: { port: 50_052, calls: ['catalog'], hears: ['gateway'] },
  webhooks: { port: 50_056, calls: [], hears: ['gateway', 'catalog', 'inventory'] },
} as const satisfies Record<string, App>;

const serviceNames = Object.keys(services) as (keyof typeof services)[];

/** In the order in which a local system starts them: each after those it calls. */
export const apps = {
  ...services,
  gateway: { port: 3_000, calls: serviceNames, hears: [...serviceNames, 'gateway'] },
} as const satisfies Record<string, App>;

export type AppName = keyof typeof apps;

export const appNames = Object.keys(apps) as AppName[];

/** Full name of an app's gRPC service: catalog is store.catalog.v1.Catalog. */
export function serviceOf(app: string): string {
  return `store.${app}.v1.${app.charAt(0).toUpperCase()}${app.slice(1)}`;
}

/** Topic that carries an app's events. */
export function topicOf(app: string): string {
  return `${app}.events`;
}
