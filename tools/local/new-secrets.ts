/**
 * `npm run secrets`: new secrets of an installation, as a file for compose or as Secrets for Kubernetes. Nothing is kept here
 * and nothing is overwritten: without KEY_PEPPERS every API key is lost.
 */
import { randomBytes } from 'node:crypto';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { appNames } from '@store/contract';
import { roleName } from '@store/db';
import { keysVariable, pairs } from '@store/service';
import { stringify } from 'yaml';
import { CannotStart } from './cannot-start.ts';
import { repository } from './data-dir.ts';
import { newRing as key } from './local-secrets.ts';

const usage = `npm run secrets: makes new secrets of an installation.

  -- <file>                     deploy/.env.example with new secrets, such as deploy/.env; a file that is there is kept
  -- --kubernetes <host:port>   Secrets on standard output, for PostgreSQL and Redis over TLS; npm run --silent secrets, so that nothing else is
     --database <name>          its database (default store)
     --redis <host:port>        Redis (default redis:6379)`;

const passwordBytes = 24;
/** Letters and digits alone, as passwords are parts of URLs. */
const password = () => randomBytes(passwordBytes).toString('hex');

const variables: Record<string, () => string> = {
  POSTGRES_PASSWORD: password,
  REDIS_PASSWORD: password,
  KEY_PEPPERS: key,
  SECRET_KEYS: key,
  ...Object.fromEntries(pairs.map((pair) => [keysVariable(pair), key])),
  ...Object.fromEntries(appNames.map((app) => [`${app.toUpperCase()}_DATABASE_PASSWORD`, password])),
};

/** The example with each secret filled in. */
export function newEnvFile(example: string): string {
  return example.replace(/^(\w+)=$/gm, (line, name: string) => (variables[name] ? `${line}${variables[name]()}` : line));
}

export interface Servers {
  /** host:port of PostgreSQL, and of Redis. */
  postgres: string;
  database: string;
  redis: string;
}

export function newKubernetesSecrets({ postgres, database, redis }: Servers): string {
  // Verified: of the certificate the authority and the name. A plain connection is to be asked for.
  const at = `${postgres}/${database}?sslmode=verify-full`;
  const passwords = Object.fromEntries(appNames.map((app) => [app, password()]));
  const secret = (name: string, stringData: Record<string, string>) =>
    stringify({ apiVersion: 'v1', kind: 'Secret', metadata: { name }, type: 'Opaque', stringData }, { lineWidth: 0 });
  const admin = Object.fromEntries(appNames.map((app) => [`${app.toUpperCase()}_DATABASE_PASSWORD`, passwords[app]!]));
  return [
    ...appNames.map((app) =>
      secret(`store-${app}-database`, { DATABASE_URL: `postgres://${roleName(database, app)}:${passwords[app]}@${at}` }),
    ),
    secret('store-database-admin', { DATABASE_URL: `postgres://admin:change-me@${at}`, ...admin }),
    ...pairs.map((pair) => secret(`store-${pair.caller}-to-${pair.called}`, { [keysVariable(pair)]: key() })),
    secret('store-key-peppers', { KEY_PEPPERS: key() }),
    secret('store-secret-keys', { SECRET_KEYS: key() }),
    secret('store-redis', { REDIS_URL: `rediss://store:${password()}@${redis}` }),
  ].join('---\n');
}

function main(): void {
  const options = {
    kubernetes: { type: 'string' },
    database: { type: 'string', default: 'store' },
    redis: { type: 'string', default: 'redis:6379' },
    help: { type: 'boolean', default: false },
  } as const;
  const { values, positionals } = parseArgs({ options, allowPositionals: true });
  const { kubernetes: postgres, database, redis } = values;
  const [file] = positionals;
  if (values.help || (postgres === undefined && file === undefined)) console.log(usage);
  else if (postgres !== undefined) process.stdout.write(newKubernetesSecrets({ postgres, database, redis }));
  else writeEnvFile(file!);
}

function writeEnvFile(file: string): void {
  const example = readFileSync(path.join(repository, 'deploy/.env.example'), 'utf8');
  try {
    // Exclusive: two concurrent runs must not mix, and existing files are not replaced.
    writeFileSync(file, newEnvFile(example), { mode: 0o600, flag: 'wx' });
  } catch (error) {
    if ((error as { code?: string }).code === 'EEXIST') throw new CannotStart(`${file} is there already, and its secrets are in use.`);
    throw error;
  }
  console.log(`${file} has new secrets, readable by you alone. Keep KEY_PEPPERS and SECRET_KEYS in a second place.`);
}

if (process.argv[1] === import.meta.filename) {
  try {
    main();
  } catch (error) {
    if (!(error instanceof CannotStart)) throw error;
    console.error(error.message);
    process.exitCode = 1;
  }
}
