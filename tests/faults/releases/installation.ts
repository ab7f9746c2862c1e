/** What an earlier release left: the dump of its database, its secrets, and what it answered. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { brotliDecompressSync } from 'node:zlib';
import { withClient } from '@store/testbed/with-client';

/** What a release left beside its database, and answered. API keys stand without `sk_store_`: no file holds the text of a key. */
export interface Left {
  made_at: string;
  secrets: Record<string, string>;
  api_key: string;
  second_api_key: string;
  revoked_key: string;
  staff: { email: string; password: string };
  session_token: string;
  signing_secret: string;
  idempotency_key: string;
  created: { id: number };
  reads: Record<string, unknown>;
}

const folder = import.meta.dirname;

export const releases: string[] = readdirSync(folder).flatMap((file) => /^(.+)\.sql\.br$/.exec(file)?.slice(1) ?? []);

export function leftBy(release: string): Left {
  return JSON.parse(readFileSync(path.join(folder, `${release}.json`), 'utf8')) as Left;
}

/** Fills an empty database. */
export async function restoreInstallation(release: string, url: string): Promise<void> {
  const text = brotliDecompressSync(readFileSync(path.join(folder, `${release}.sql.br`))).toString();
  await withClient(url, (client) => client.query(text));
}
