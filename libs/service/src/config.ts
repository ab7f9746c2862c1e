/** Environment variables, each declared once with default and explanation, parsed once; bad ones stop the start by name. */
import { existsSync, readFileSync } from 'node:fs';
import { parseKeyRing, parseSecrets } from '@store/db';
import { retentionDaysDefault } from '@store/events';
import type { ServiceSecret } from '@store/rpc';
import { z } from 'zod';

export interface Setting<T extends z.ZodType = z.ZodType> {
  schema: T;
  /** Text used when the variable is not set; undefined: the variable is required. */
  default: string | undefined;
  /** One line for --help and docs/operations/reference.md. */
  explain: string;
}

export type Settings = Record<string, Setting>;
export type Config<S extends Settings> = Readonly<{ [Name in keyof S]: z.output<S[Name]['schema']> }>;

export function setting<T extends z.ZodType>(schema: T, fallback: string | undefined, explain: string): Setting<T> {
  return { schema, default: fallback, explain };
}

export class BadConfig extends Error {}

/** Throws BadConfig with these lines, each a sentence about one setting; returns if there is none. */
export function refuseBadConfig(lines: string[]): void {
  if (lines.length > 0) throw new BadConfig(`Bad configuration:\n${lines.map((line) => `  ${line}`).join('\n')}`);
}

export function readConfig<S extends Settings>(settings: S, env: NodeJS.ProcessEnv): Config<S> {
  const config: Record<string, unknown> = {};
  const bad: string[] = [];
  for (const [name, declared] of Object.entries(settings)) {
    // NAME= in a shell or an env file leaves it unset.
    const text = env[name] || declared.default;
    const result = text === undefined ? undefined : declared.schema.safeParse(text);
    if (result?.success) config[name] = result.data;
    else bad.push(`${name} ${result ? result.error.issues.map((issue) => issue.message).join(', ') : 'is required'} (${declared.explain})`);
  }
  refuseBadConfig(bad);
  return Object.freeze(config) as Config<S>;
}

/** The table that --help prints. */
export function describeSettings(settings: Settings): string {
  return Object.entries(settings)
    .map(
      ([name, { default: fallback, explain }]) =>
        `  ${name.padEnd(28)} ${explain}${fallback === undefined ? ' (required)' : fallback === '' ? '' : ` (default ${fallback})`}`,
    )
    .join('\n');
}

export function integer(min: number, max: number) {
  const words = `must be a whole number from ${min} to ${max}`;
  return z.coerce.number(words).refine((value) => Number.isInteger(value) && value >= min && value <= max, words);
}
export const text = z.string();

/** The parsed value, or a sentence that says why the text is invalid. */
export function parsedBy<T>(reader: (value: string) => T) {
  return text.transform((value, context): T => {
    try {
      return reader(value);
    } catch (error) {
      context.addIssue({ code: 'custom', message: error instanceof Error ? error.message : String(error) });
      return z.NEVER;
    }
  });
}

const serviceKeyBytes = 32;

export function parseServiceKeys(value: string): ServiceSecret[] | undefined {
  if (value === '') return undefined;
  const secrets = parseSecrets(value);
  for (const { id, secret } of secrets)
    if (secret.length !== serviceKeyBytes) throw new Error(`key ${id} must be ${serviceKeyBytes} bytes in base64`);
  return secrets;
}

export function fileBytes(name: string): Buffer | undefined {
  if (name === '') return undefined;
  if (!existsSync(name)) throw new Error('names no file');
  return readFileSync(name);
}

/** The text of the PEM file that a setting names; undefined when it names none. */
export const pemFile = parsedBy((name): string | undefined => {
  const pem = fileBytes(name)?.toString();
  if (pem !== undefined && !pem.includes('-----BEGIN ')) throw new Error('names a file that is not PEM');
  return pem;
});

/** SECRET_KEYS, of an app that stores what is encrypted under them. */
export const secretKeys = setting(
  parsedBy(parseKeyRing),
  undefined,
  '32-byte keys that encrypt what must be readable again, newest first: 2:base64,1:base64',
);

const databaseUrlForm = /^postgres(ql)?:\/\//;

export const serviceSettings = {
  DATABASE_URL: setting(
    z.string().regex(databaseUrlForm, 'must be a postgres:// URL'),
    undefined,
    'PostgreSQL; each service uses its own schema only',
  ),
  DATABASE_SESSION_URL: setting(
    z.union([z.literal(''), z.string().regex(databaseUrlForm, 'must be a postgres:// URL')]),
    '',
    'PostgreSQL itself, where DATABASE_URL leads through a pooler such as PgBouncer: for locks, notices and migrations; empty: DATABASE_URL',
  ),
  DATABASE_POOL_MAX: setting(integer(1, 100), '10', 'maximum connections in the pool of one service'),
  LOG_LEVEL: setting(
    z.enum(['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']),
    'info',
    'least severe log lines that are written',
  ),
  KAFKA_BROKERS: setting(text, '', 'comma-separated host:port; empty: events stay in this process'),
  EVENT_RETENTION_DAYS: setting(
    integer(1, 365),
    String(retentionDaysDefault),
    'days that Kafka keeps events: topics are created and checked with it; inboxes remember event ids twice as long',
  ),
  RELAY: setting(
    z.enum(['own', 'elsewhere']),
    'own',
    'own: this process publishes the events of its schema; elsewhere: a process of its own does, started by the command relay',
  ),
  SERVICE_KEYS: setting(
    parsedBy(parseServiceKeys),
    '',
    'for an upgrade only: the one ring of earlier releases; while it is set, calls signed with it are accepted from any app',
  ),
  GRPC_TLS_CERT: setting(
    parsedBy(fileBytes),
    '',
    'PEM file of the certificate that a service shows to services; empty: no TLS between them',
  ),
  GRPC_TLS_KEY: setting(parsedBy(fileBytes), '', "PEM file of that certificate's private key"),
  GRPC_TLS_CA: setting(parsedBy(fileBytes), '', 'PEM file of the authority that must have issued the certificates of both ends'),
} satisfies Settings;
