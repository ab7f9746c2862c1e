/** What the processes of an app are told: settings from a ConfigMap, secrets by reference. */
import { type AppName, apps, doorsOf, type ServiceName, serviceNames } from '@store/contract';
import type { Pair } from '@store/rpc';
import { addressVariable, keysVariable, listenVariable, pairs } from '@store/service';
import { settingsOfApps } from '../../tools/dev/settings-doc.ts';

export const healthPort = 9_090;

/** Secrets by the setting that they hold; `of` says which Secret an app reads. */
interface SecretSetting {
  of(app: AppName): string;
  /** The pod starts without it. */
  optional?: true;
}

/** The Secret that holds the keys of one pair. */
export const keysSecret = ({ caller, called }: Pair): string => `store-${caller}-to-${called}`;

const secretSettings: Record<string, SecretSetting> = {
  DATABASE_URL: { of: (app) => `store-${app}-database` },
  // For an upgrade from a release that had one ring.
  SERVICE_KEYS: { of: () => 'store-service-keys', optional: true },
  ...Object.fromEntries(pairs.map((pair) => [keysVariable(pair), { of: () => keysSecret(pair) }])),
  KEY_PEPPERS: { of: () => 'store-key-peppers' },
  SECRET_KEYS: { of: () => 'store-secret-keys' },
  REDIS_URL: { of: () => 'store-redis' },
  KAFKA_SASL_USERNAME: { of: () => 'store-kafka', optional: true },
  KAFKA_SASL_PASSWORD: { of: () => 'store-kafka', optional: true },
  OTEL_TRACES_SAMPLER_KEY: { of: () => 'store-traces', optional: true },
};

/** Read by every process, and by no app's own configuration. */
const ofProcess = ['KAFKA_SASL_USERNAME', 'KAFKA_SASL_PASSWORD', 'OTEL_TRACES_SAMPLER_KEY'];

export const isService = (app: AppName): app is ServiceName => (serviceNames as readonly string[]).includes(app);

/** The literals of an app's ConfigMap; an overlay changes them. */
export function configOf(app: AppName): Record<string, string> {
  const doors = isService(app) ? doorsOf(app) : [];
  const called = (apps[app].calls as readonly ServiceName[]).flatMap((name) => doorsOf(name).map((one) => ({ ...one, name })));
  return {
    KAFKA_BROKERS: 'kafka:9092',
    KAFKA_SSL: 'false',
    KAFKA_SASL_MECHANISM: '',
    KAFKA_PREFIX: '',
    HEALTH_HOST: '0.0.0.0',
    HEALTH_PORT: String(healthPort),
    LOG_LEVEL: 'info',
    // Relays are pods of their own.
    RELAY: 'elsewhere',
    EVENT_RETENTION_DAYS: '7',
    DATABASE_POOL_MAX: '10',
    // Off: the overlay names the collector, which the network policies let every app reach.
    OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: '',
    OTEL_TRACES_SAMPLER_ARG: '0.01',
    ...Object.fromEntries(doors.map(({ door, port }) => [listenVariable(door), `0.0.0.0:${port}`])),
    // The name of a headless Service stands for all of its pods, over which gRPC balances.
    ...Object.fromEntries(called.map(({ door, port, name }) => [addressVariable(door), `${name}:${port}`])),
    ...(app === 'gateway' && { GATEWAY_HOST: '0.0.0.0', GATEWAY_PORT: String(apps.gateway.port), TRUSTED_PROXIES: '1', PUBLIC_URL: '' }),
    ...(app === 'webhooks' && { NODE_ENV: 'production', PUBLIC_URL: '', WEBHOOK_DENY_CIDRS: '' }),
  };
}

/** References to the secrets that an app reads. */
export function secretsOf(app: AppName, names = [...Object.keys(settingsOfApps[app]!), ...ofProcess]): object[] {
  return names
    .filter((name) => name in secretSettings)
    .sort()
    .map((name) => {
      const { of, optional } = secretSettings[name]!;
      return { name, valueFrom: { secretKeyRef: { name: of(app), key: name, ...(optional && { optional }) } } };
    });
}
