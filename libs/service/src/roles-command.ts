/**
 * `roles`, a command of every app: creates one PostgreSQL role per schema, before the services start. A deploy step, as a user
 * who may make roles.
 */
import { appNames } from '@store/contract';
import { makeSchemaRoles, roleName, type SchemaRole } from '@store/db';
import { BadConfig } from './config.ts';

const suffix = '_DATABASE_PASSWORD';
const usage = `npm run roles: makes a role of its own for each service, which owns the service's schema and nothing else.

  DATABASE_URL              PostgreSQL, as a user who may make roles
  <SERVICE>${suffix}  password of the service's role, such as CATALOG${suffix}; one for each service

A role is called after the database and the schema, such as store_catalog. Run again it changes nothing but passwords; what
another user made in a schema becomes the role's.`;

export async function rolesCommand(args: string[], { DATABASE_URL: url, ...env } = process.env): Promise<boolean> {
  if (args.includes('--help')) {
    console.log(usage);
    return true;
  }
  if (!url) throw new BadConfig('Name PostgreSQL by DATABASE_URL.');
  const wanted = Object.entries(env)
    .filter(([name, password]) => name.endsWith(suffix) && password)
    .map(([name, password]) => ({ schema: name.slice(0, -suffix.length).toLowerCase(), password: password! }));
  if (wanted.length === 0) throw new BadConfig(`Give at least one service's password, such as CATALOG${suffix}.`);
  const unknown = wanted.find(({ schema }) => !(appNames as string[]).includes(schema));
  if (unknown) throw new BadConfig(`${unknown.schema.toUpperCase()}${suffix} is of no service; the services are ${appNames.join(', ')}.`);
  await make(url, wanted);
  const database = decodeURIComponent(new URL(url).pathname.slice(1));
  console.log(`Roles: ${wanted.map(({ schema }) => roleName(database, schema)).join(', ')}`);
  return true;
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
