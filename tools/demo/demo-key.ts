/** The demo's API key: every scope, and the highest limit that a key may have. */
import { scopes } from '@store/contract';
import type { Client } from './client.ts';

const name = 'Demo key';
const rateLimit = 1_000;

/** A full key is shown only once, so the key of an interrupted load is lost: it is revoked and another one is created. */
export async function demoKey(staff: Client): Promise<string> {
  const { api_keys: keys } = await staff.get<{ api_keys: { id: number; name: string; revoked_at: string | null }[] }>('/api_keys');
  for (const left of keys.filter((key) => key.name === name && key.revoked_at === null)) await staff.delete(`/api_keys/${left.id}`);
  const made = await staff.post<{ key: string }>('/api_keys', { api_key: { name, scopes, rate_limit: rateLimit } });
  return made.key;
}
