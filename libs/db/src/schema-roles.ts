/**
 * One login role per schema, as a second barrier between services: it owns its schema and has no right on others. Where a second role
 * migrates, that one owns the schema, and the first reads and writes rows alone.
 */
import type pg from 'pg';
import { addExtensions } from './extensions.ts';
import { closeSession, heldByRole, newSession } from './pg/session.ts';

export interface SchemaRole {
  schema: string;
  /** Of the role that the service logs in as. */
  password: string;
  /** Of the role that migrates the schema. Without one, and where there was none before, the service's role owns the schema. */
  migrationPassword?: string;
}

/** Roles belong to a whole server, so the database is part of the name: several installations can share one. */
export function roleName(database: string, schema: string): string {
  return `${database}_${schema}`;
}

export function migrationRoleName(database: string, schema: string): string {
  return `${roleName(database, schema)}_migration`;
}

export function roleUrl(url: string, { schema, password }: SchemaRole): string {
  const own = new URL(url);
  own.username = encodeURIComponent(roleName(databaseOf(url), schema));
  own.password = encodeURIComponent(password);
  return own.href;
}

function databaseOf(url: string): string {
  return decodeURIComponent(new URL(url).pathname.slice(1));
}

export async function mayMakeRoles(url: string): Promise<boolean> {
  return withAdmin(url, async (admin) => {
    const { rows } = await admin.query('select rolsuper or rolcreaterole as may from pg_roles where rolname = current_user');
    return rows[0].may as boolean;
  });
}

/** Creates or updates the roles and gives each its schema; a second run changes only passwords. */
export async function makeSchemaRoles(url: string, wanted: SchemaRole[]): Promise<void> {
  const database = databaseOf(url);
  await withAdmin(url, async (admin) => {
    await admin.query('begin');
    await admin.query('select pg_advisory_xact_lock(hashtext($1))', [`roles:${database}`]);
    await admin.query(addExtensions);
    for (const { schema, password, migrationPassword } of wanted) {
      const [role, owner] = [roleName(database, schema), migrationRoleName(database, schema)];
      await makeRole(admin, role, password);
      if (migrationPassword !== undefined) await makeRole(admin, owner, migrationPassword);
      const { rowCount } = await admin.query('select from pg_roles where rolname = $1', [owner]);
      await giveSchema(admin, schema, rowCount === 0 ? role : owner);
      if (rowCount !== 0) await grantRows(admin, schema, { owner, role });
    }
    await admin.query('commit');
  });
}

async function makeRole(admin: pg.Client, role: string, password: string): Promise<void> {
  const name = admin.escapeIdentifier(role);
  const { rows } = await admin.query<{ may: boolean }>('select rolcreatedb or rolcreaterole as may from pg_roles where rolname = $1', [
    role,
  ]);
  if (rows.length === 0) await admin.query(`create role ${name}`);
  // Only if the role has one of them: a role can grant or revoke only attributes that it has.
  if (rows[0]?.may) await admin.query(`alter role ${name} nocreatedb nocreaterole`);
  await admin.query(`alter role ${name} login password ${admin.escapeLiteral(password)}`);
  await joinRole(admin, role);
  await keepValuesOutOfLog(admin, name);
  for (const [setting, value] of Object.entries(heldByRole)) await admin.query(`alter role ${name} set ${setting} = '${value}'`);
}

/** PostgreSQL logs a refused row with its values unless log_error_verbosity is terse, which only a superuser can set. */
async function keepValuesOutOfLog(admin: pg.Client, name: string): Promise<void> {
  const { rows } = await admin.query<{ may: boolean }>('select rolsuper as may from pg_roles where rolname = current_user');
  if (rows[0]!.may) await admin.query(`alter role ${name} set log_error_verbosity = 'terse'`);
}

/** Without superuser rights one must be able to become the role that becomes the owner: since PostgreSQL 16 its maker is not by itself. */
async function joinRole(admin: pg.Client, role: string): Promise<void> {
  const { rows } = await admin.query<{ joined: boolean }>(
    `select pg_has_role(current_user, $1, case when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end) as joined`,
    [role],
  );
  if (!rows[0]!.joined) await admin.query(`grant ${admin.escapeIdentifier(role)} to current_user`);
}

async function giveSchema(admin: pg.Client, schema: string, role: string): Promise<void> {
  const [name, owner] = [admin.escapeIdentifier(schema), admin.escapeIdentifier(role)];
  await admin.query(`create schema if not exists ${name} authorization ${owner}`);
  await admin.query(`alter schema ${name} owner to ${owner}`);
  await admin.query(`revoke all on schema ${name} from public`);
  const { rows } = await admin.query<{ change: string }>(ownerChanges, [schema, role]);
  for (const { change } of rows) await admin.query(change);
}

/** The role's rights on what the owner has made in the schema and will make there: rows and numbers, no tables. */
async function grantRows(admin: pg.Client, schema: string, names: { owner: string; role: string }): Promise<void> {
  const [inSchema, owner, role] = [schema, names.owner, names.role].map((name) => admin.escapeIdentifier(name));
  await admin.query(`grant usage on schema ${inSchema} to ${role}`);
  const rights = { tables: 'select, insert, update, delete', sequences: 'usage, select, update' };
  for (const [kind, may] of Object.entries(rights)) {
    await admin.query(`grant ${may} on all ${kind} in schema ${inSchema} to ${role}`);
    await admin.query(`alter default privileges for role ${owner} in schema ${inSchema} grant ${may} on ${kind} to ${role}`);
  }
}

/** Statements that give the role the objects in its schema that another role owns. Sequences of a column follow their table. */
const ownerChanges = `
  select format('alter %s %I.%I owner to %I',
           case c.relkind when 'S' then 'sequence' when 'v' then 'view' when 'm' then 'materialized view' else 'table' end,
           $1::text, c.relname, $2::text) as change
    from pg_class c
    where c.relnamespace = to_regnamespace(quote_ident($1)) and c.relkind in ('r', 'p', 'v', 'm', 'S') and c.relowner <> $2::regrole
      and not exists (select from pg_depend d where c.relkind = 'S' and d.classid = 'pg_class'::regclass and d.objid = c.oid
        and d.deptype in ('a', 'i'))
  union all
  select format('alter routine %s owner to %I', p.oid::regprocedure, $2::text) from pg_proc p
    where p.pronamespace = to_regnamespace(quote_ident($1)) and p.proowner <> $2::regrole
  union all
  select format('alter type %I.%I owner to %I', $1::text, t.typname, $2::text) from pg_type t
    where t.typnamespace = to_regnamespace(quote_ident($1)) and t.typtype in ('e', 'd') and t.typowner <> $2::regrole`;

async function withAdmin<T>(url: string, work: (admin: pg.Client) => Promise<T>): Promise<T> {
  const admin = newSession({ url, applicationName: 'store-roles' });
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await closeSession(admin);
  }
}
