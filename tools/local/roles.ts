/**
 * `npm run roles`: creates one PostgreSQL role per schema, before the services start. A deploy step that needs only what
 * services need, so that it runs in their images.
 */
import { makeSchemaRoles, roleName } from '@store/db';

const suffix = '_DATABASE_PASSWORD';
const usage = `npm run roles: makes a role of its own for each service, which owns the service's schema and nothing else.

  DATABASE_URL              PostgreSQL, as a user who may make roles
  <SERVICE>${suffix}  password of the service's role, such as CATALOG${suffix}; one for each service

A role is called after the database and the schema, such as store_catalog. Run again it changes nothing but passwords; what
another user made in a schema becomes the role's.`;

try {
  if (process.argv.includes('--help')) console.log(usage);
  else await run(process.env);
} catch (error) {
  console.error(error instanceof Error ? error.message : error);
  process.exitCode = 1;
}

async function run({ DATABASE_URL: url, ...env }: NodeJS.ProcessEnv): Promise<void> {
  if (!url) throw new Error('Name PostgreSQL by DATABASE_URL.');
  const wanted = Object.entries(env)
    .filter(([name, password]) => name.endsWith(suffix) && password)
    .map(([name, password]) => ({ schema: name.slice(0, -suffix.length).toLowerCase(), password: password! }));
  if (wanted.length === 0) throw new Error(`Give at least one service's password, such as CATALOG${suffix}.`);
  await makeSchemaRoles(url, wanted);
  const database = decodeURIComponent(new URL(url).pathname.slice(1));
  console.log(`Roles: ${wanted.map(({ schema }) => roleName(database, schema)).join(', ')}`);
}
