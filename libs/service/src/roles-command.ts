/** `roles`: creates one PostgreSQL role per schema, before the services start, as a user who may make roles. */
import { appNames } from '@store/contract';
import { makeSchemaRoles, migrationRoleName, roleName, type SchemaRole } from '@store/db';
import { printUsage } from './command.ts';
import { BadConfig } from './config.ts';

const suffix = '_DATABASE_PASSWORD';
const migrationSuffix = '_MIGRATION_PASSWORD';
const usage = `npm run roles: makes a role of its own for each service, which owns the service's schema and nothing else.

  DATABASE_URL              PostgreSQL, as a user who may make roles
  <SERVICE>${suffix}  password of the service's role, such as CATALOG${suffix}; one for each service
  <SERVICE>${migrationSuffix}  password of a second role that owns the schema and migrates it, such as store_catalog_migration;
                      the service's role then reads and writes rows and can change no table (not needed)

A role is called after the database and the schema, such as store_catalog. Run again it changes nothing but passwords; what
another user made in a schema becomes the role's.`;

export async function rolesCommand(args: string[], { DATABASE_URL: url, ...env } = process.env): Promise<boolean> {
  if (args.includes('--help')) return printUsage(usage);
  if (!url) throw new BadConfig('Name PostgreSQL by DATABASE_URL.');
  const own = passwords(env, suffix);
  const migrating = passwords(env, migrationSuffix);
  if (own.size === 0) throw new BadConfig(`Give at least one service's password, such as CATALOG${suffix}.`);
  const alone = [...migrating.keys()].find((schema) => !own.has(schema));
  if (alone) throw new BadConfig(`${alone.toUpperCase()}${migrationSuffix} needs ${alone.toUpperCase()}${suffix} beside it.`);
  const wanted = [...own].map(([schema, password]) => ({ schema, password, migrationPassword: migrating.get(schema) }));
  await make(url, wanted);
  const database = decodeURIComponent(new URL(url).pathname.slice(1));
  const names = wanted.flatMap(({ schema, migrationPassword }) => [
    roleName(database, schema),
    ...(migrationPassword === undefined ? [] : [migrationRoleName(database, schema)]),
  ]);
  console.log(`Roles: ${names.join(', ')}`);
  return true;
}

/** By schema. */
function passwords(env: NodeJS.ProcessEnv, ending: string): Map<string, string> {
  const given = new Map<string, string>();
  for (const [name, password] of Object.entries(env)) {
    if (!name.endsWith(ending) || !password) continue;
    const schema = name.slice(0, -ending.length).toLowerCase();
    if (!(appNames as string[]).includes(schema)) throw new BadConfig(`${name} is of no service; the services are ${appNames.join(', ')}.`);
    given.set(schema, password);
  }
  return given;
}

async function make(url: string, wanted: SchemaRole[]): Promise<void> {
  try {
    await makeSchemaRoles(url, wanted);
  } catch (error) {
    const { code, message, detail } = error as { code?: string; message: string; detail?: string };
    // What PostgreSQL and the network say has a code; anything else is a defect, whose stack is needed.
    if (code === undefined) throw error;
    throw new BadConfig(`The roles were not made: ${message || code}.${detail ? ` ${detail}` : ''}`, { cause: error });
  }
}
