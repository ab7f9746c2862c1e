/** Where a process finds PostgreSQL: of its requests, and of what keeps a session. */
import { checkPooler, type DatabaseUrls, UnusablePooler } from '@store/db';
import { BadConfig } from './config.ts';

export interface OwnDatabase extends DatabaseUrls {
  isPooled: boolean;
}

type Env = Partial<Record<'DATABASE_URL' | 'DATABASE_SESSION_URL', string>>;

/** From settings that were read, or from the environment of a command; `missing` is what it says without an address. */
export function databaseUrls(
  { DATABASE_URL: url, DATABASE_SESSION_URL: session }: Env,
  missing = 'Name PostgreSQL by DATABASE_URL.',
): OwnDatabase {
  if (!url) throw new BadConfig(missing);
  const sessionUrl = session || url;
  return { url, sessionUrl, isPooled: sessionUrl !== url };
}

/** Throws a BadConfig where a pooler in between does not give what this product needs. */
export async function checkedUrls(env: Env): Promise<OwnDatabase> {
  const urls = databaseUrls(env);
  try {
    await checkPooler(urls);
  } catch (error) {
    throw error instanceof UnusablePooler ? new BadConfig(`${error.message}.`, { cause: error }) : error;
  }
  return urls;
}
