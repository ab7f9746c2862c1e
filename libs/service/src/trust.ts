/** Trust between processes, by configuration (D198). */
import { randomBytes } from 'node:crypto';
import { createSecureContext } from 'node:tls';
import type { Clock } from '@store/db';
import { ServiceKeys, type ServiceSecret, type Trust } from '@store/rpc';
import { BadConfig, type Config, readConfig, type Settings, type serviceSettings } from './config.ts';

type TrustConfig = Pick<Config<typeof serviceSettings>, 'SERVICE_KEYS' | 'GRPC_TLS_CERT' | 'GRPC_TLS_KEY' | 'GRPC_TLS_CA'>;

/** Settings that hold an address, found by their name, so that a new service is covered automatically. */
const doorPattern = /_(LISTEN|ADDRESS)$/;

/** Reads a service's configuration and refuses one under which anyone on the network would be accepted. */
export function readServiceConfig<S extends Settings & typeof serviceSettings>(settings: S, env: NodeJS.ProcessEnv): Config<S> {
  const config = readConfig(settings, env);
  const bad = [...openDoors(config), ...badTls(config as TrustConfig)];
  if (bad.length > 0) throw new BadConfig(`Bad configuration:\n${bad.map((line) => `  ${line}`).join('\n')}`);
  return config;
}

function openDoors(config: Record<string, unknown>): string[] {
  if (config.SERVICE_KEYS !== undefined) return [];
  return Object.entries(config)
    .filter(([name, address]) => doorPattern.test(name) && !isLoopback(String(address)))
    .map(([name, address]) => `${name} is ${address}, beyond this machine: SERVICE_KEYS must be set, the same for every service`);
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

/** Keys of the services that share one process; no other process knows them. */
const ofThisProcess: ServiceSecret[] = [{ id: 1, secret: randomBytes(32) }];

export function openTrust(config: TrustConfig, clock: Clock): Trust {
  const { SERVICE_KEYS: secrets, GRPC_TLS_CERT: cert, GRPC_TLS_KEY: key, GRPC_TLS_CA: ca } = config;
  return { keys: new ServiceKeys(secrets ?? ofThisProcess, clock), tls: cert && key && ca && { cert, key, ca } };
}
