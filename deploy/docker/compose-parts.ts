/** What compose.yaml and .env.example say about each app: its service, addresses, the address and password of its database. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type AppName, appNames, apps, doorsOf, type ServiceName, serviceNames } from '@store/contract';
import { roleName } from '@store/db';
import { addressVariable, keysVariable, listenVariable, pairs, pairsOf } from '@store/service';
import { aclRules } from '../../apps/gateway/src/key-gate/redis-acl.ts';
import { settingsOfApps } from '../../tools/dev/settings-doc.ts';
import { repository } from '../../tools/local/data-dir.ts';

const { version } = JSON.parse(readFileSync(path.join(repository, 'package.json'), 'utf8')) as { version: string };

const passwordVariable = (app: AppName) => `${app.toUpperCase()}_DATABASE_PASSWORD`;
const databaseOf = (app: AppName) => `postgres://${roleName('store', app)}:\${${passwordVariable(app)}:?}@postgres:5432/store`;
const addressesOf = (app: AppName) =>
  (apps[app].calls as readonly ServiceName[]).flatMap((called) =>
    doorsOf(called).map(({ door, port }) => `${addressVariable(door)}: ${called}:${port}`),
  );

/** Each app knows the keys of its own pairs alone. */
const keysOf = (app: AppName) => pairsOf(app).map((pair) => `${keysVariable(pair)}: \${${keysVariable(pair)}:?}`);

/** Settings of the whole installation that deploy/.env may leave out. */
const optional = ['PUBLIC_URL'];
/** Given to every service by the anchor `environment`, or written for each. */
const givenOtherwise = ['DATABASE_URL', 'SERVICE_KEYS', 'KAFKA_BROKERS'];

/** What the service reads from deploy/.env: each setting without a default, and those of the whole installation. */
function passedOn(app: ServiceName): string[] {
  const settings = Object.entries(settingsOfApps[app]!).filter(([name]) => !givenOtherwise.includes(name));
  const required = settings.filter(([, { default: fallback }]) => fallback === undefined).map(([name]) => `${name}: \${${name}:?}`);
  return [...optional.filter((name) => name in settingsOfApps[app]!).map((name) => `${name}: \${${name}:-}`), ...required];
}

/** A service behind the gateway. */
function serviceOf(app: ServiceName): string {
  const environment = [
    `DATABASE_URL: ${databaseOf(app)}`,
    ...keysOf(app),
    ...doorsOf(app).map(({ door, port }) => `${listenVariable(door)}: 0.0.0.0:${port}`),
    ...addressesOf(app),
    ...passedOn(app),
  ];
  const outside = app === 'webhooks' ? '\n  # The only service that calls the world.\n  networks: [inside, outside]' : '';
  return `${app}:
  <<: *service
  image: store-${app}:\${STORE_VERSION:?}
  build: { context: .., dockerfile: deploy/docker/Dockerfile, args: { APP: ${app}, NODE_DIGEST: "\${NODE_DIGEST:?}" } }
  environment:
    <<: *environment
${environment.map((line) => `    ${line}`).join('\n')}${outside}`;
}

/** Redis with one user, who may do what the gateway asks; the usual one, who may do everything without a password, is off. */
const redisCommand = [
  // Below its limit of 256 MiB. What does not fit is refused, not dropped: a gateway then asks PostgreSQL.
  ...['redis-server', '--maxmemory', '200mb', '--maxmemory-policy', 'noeviction'],
  ...['--save', '', '--appendonly', 'no', '--user', 'default', 'off'],
  ...['--user', 'store', 'on', `>\${REDIS_PASSWORD:?}`, ...aclRules()],
];

/** Parts of deploy/compose.yaml. */
export const composeParts = (): Record<string, string> => ({
  addresses: [...addressesOf('gateway'), ...keysOf('gateway')].join('\n'),
  databases: appNames.map((app) => `${app.toUpperCase()}_DATABASE_URL: ${databaseOf(app)}`).join('\n'),
  redis: `command: ${JSON.stringify(redisCommand).replaceAll(',', ', ')}`,
  services: serviceNames.map(serviceOf).join('\n\n'),
  passwords: appNames.map((app) => `${passwordVariable(app)}: \${${passwordVariable(app)}:?}`).join('\n'),
});

/** Parts of deploy/.env.example. */
export const envParts = (): Record<string, string> => ({
  version: `STORE_VERSION=${version}`,
  keys: pairs.map((pair) => `${keysVariable(pair)}=`).join('\n'),
  passwords: appNames.map((app) => `${passwordVariable(app)}=`).join('\n'),
});
