import { randomBytes } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import { type AppName, callersOf } from '@store/contract';
import type { Clock } from '@store/db';
import { type PeerTrust, ServiceKeys, type ServiceSecret, type Trust } from '@store/rpc';
import { type Config, readConfig, refuseBadConfig, type Settings, type serviceSettings } from './config.ts';
import { keysVariable } from './doors.ts';

type TrustConfig = Pick<Config<typeof serviceSettings>, 'SERVICE_KEYS' | 'GRPC_TLS_CERT' | 'GRPC_TLS_KEY' | 'GRPC_TLS_CA'>;

/** Settings that hold an address, and of them the app whose door it is; by their name, so that a new service is covered automatically. */
const doorPattern = /^([A-Z]+)(_[A-Z]+)?_(LISTEN|ADDRESS)$/;
const ringPattern = /^[A-Z]+_TO_([A-Z]+)_KEYS$/;

export function readServiceConfig<S extends Settings & typeof serviceSettings>(settings: S, env: NodeJS.ProcessEnv): Config<S> {
  const config = readConfig(settings, env);
  refuseBadConfig([...openDoors(config), ...sharedKeys(config), ...badTls(config as TrustConfig)]);
  return config;
}

function openDoors(config: Record<string, unknown>): string[] {
  if (config.SERVICE_KEYS !== undefined) return [];
  const missing = Object.keys(config).filter((name) => ringPattern.test(name) && config[name] === undefined);
  return Object.entries(config).flatMap(([name, address]) => {
    const door = doorPattern.exec(name)?.[1];
    if (door === undefined || isLoopback(String(address))) return [];
    const needed = missing.filter((ring) => ringPattern.exec(ring)![1] === door);
    return needed.length === 0
      ? []
      : [`${name} is ${address}, beyond this machine: ${needed.join(', ')} must be set, the same for both apps`];
  });
}

/** A key that two pairs have lets an app of one sign in the other. */
function sharedKeys(config: Record<string, unknown>): string[] {
  const holders = new Map<string, string>();
  return Object.keys(config)
    .filter((name) => ringPattern.test(name) || name === 'SERVICE_KEYS')
    .flatMap((name) =>
      ((config[name] ?? []) as ServiceSecret[]).flatMap(({ secret }) => {
        const other = holders.get(secret.toString('hex')) ?? name;
        holders.set(secret.toString('hex'), name);
        return other === name ? [] : [`${name} and ${other} have the same key: each needs its own`];
      }),
    );
}

/** Of host:port. A name other than localhost may resolve to any host. */
export function isLoopback(address: string): boolean {
  const host = address.slice(0, address.lastIndexOf(':')).replace(/^\[|\]$/g, '');
  return host === 'localhost' || host === '::1' || /^127\.\d{1,3}\.\d{1,3}\.\d{1,3}$/.test(host);
}

function badTls({ GRPC_TLS_CERT: cert, GRPC_TLS_KEY: key, GRPC_TLS_CA: ca }: TrustConfig): string[] {
  const given = [cert, key, ca].filter((file) => file !== undefined).length;
  if (given === 0) return [];
  if (given < 3) return ['GRPC_TLS_CERT, GRPC_TLS_KEY and GRPC_TLS_CA go together: set all three or none'];
  try {
    createSecureContext({ cert, key, ca });
    return [];
  } catch (error) {
    return [`GRPC_TLS_CERT, GRPC_TLS_KEY and GRPC_TLS_CA do not fit together (${(error as Error).message})`];
  }
}

/** Replaces the keys of every pair where services share one process; no other process knows it. */
const ofThisProcess: ServiceSecret[] = [{ id: 1, secret: randomBytes(32) }];

export interface AppTrust {
  door: Trust;
  toward(called: string): PeerTrust & { keys: ServiceKeys };
  from(caller: AppName): ServiceKeys;
}

export function openTrust(app: AppName, config: TrustConfig & Record<string, unknown>, clock: Clock): AppTrust {
  const { SERVICE_KEYS: ofAll, GRPC_TLS_CERT: cert, GRPC_TLS_KEY: key, GRPC_TLS_CA: ca } = config;
  const tls = cert && key && ca && { cert, key, ca };
  const earlier = ofAll && new ServiceKeys(ofAll, clock);
  const ringOf = (caller: string, called: string): ServiceKeys => {
    const pair = { caller, called };
    const secrets = config[keysVariable(pair)] as ServiceSecret[] | undefined;
    // Until it has keys of its own, a pair goes on with the one ring of earlier releases.
    return secrets === undefined && earlier ? earlier : new ServiceKeys(secrets ?? ofThisProcess, clock, { pair, earlier });
  };
  const callers = callersOf(app).map((caller) => ringOf(caller, app));
  return {
    door: { keys: { verify: (signature, what) => callers.some((ring) => ring.verify(signature, what)) }, tls },
    toward: (called) => ({ keys: ringOf(app, called), tls }),
    from: (caller) => ringOf(caller, app),
  };
}
