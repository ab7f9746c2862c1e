/** DATABASE_URL of each service of a fleet: a separate role for each, if this user may create roles. */
import { randomBytes } from 'node:crypto';
import { makeSchemaRoles, mayMakeRoles, roleUrl } from '@store/db';

const passwordBytes = 24;

/** Passwords are new at each start and known to the services alone. */
export async function schemaUrls(url: string, apps: string[], log: (line: string) => void): Promise<Record<string, string>> {
  if (!(await mayMakeRoles(url))) {
    log('All services log in as the user of DATABASE_URL, who may not make a role for each.');
    return Object.fromEntries(apps.map((app) => [app, url]));
  }
  const roles = apps.map((schema) => ({ schema, password: randomBytes(passwordBytes).toString('base64url') }));
  await makeSchemaRoles(url, roles);
  return Object.fromEntries(roles.map((role) => [role.schema, roleUrl(url, role)]));
}
