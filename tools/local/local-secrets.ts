/** Secrets of the processes on one machine. */
import { randomBytes } from 'node:crypto';
import path from 'node:path';
import { keysVariable, pairs } from '@store/service';
import { readJson, writeJson } from './data-dir.ts';

/** A new ring of one key, as KEY_PEPPERS, SECRET_KEYS and the keys of each pair hold it. */
export const newRing = (): string => `1:${randomBytes(32).toString('base64')}`;

/** New keys of every pair of a calling and a called app, by their settings. */
export const newCallKeys = (): Record<string, string> => Object.fromEntries(pairs.map((pair) => [keysVariable(pair), newRing()]));

/** Secrets of a local run: created once, kept outside the database, readable by this user only. */
export function localSecrets(dir: string): Record<string, string> {
  const file = path.join(dir, 'secrets.json');
  const known = readJson<Record<string, string>>(file);
  // A file of an earlier release may lack one.
  const secrets = { KEY_PEPPERS: newRing(), SECRET_KEYS: newRing(), ...newCallKeys(), ...known };
  if (Object.keys(known ?? {}).length < Object.keys(secrets).length) writeJson(file, secrets);
  return secrets;
}
