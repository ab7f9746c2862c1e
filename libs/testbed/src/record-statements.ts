/**
 * Records each SQL text that pg receives, once, while a test run names a folder for it (STORE_STATEMENTS_DIR); the run then checks
 * that every statement is bound to a store (tests/store-wall). The run loads it into each of its processes (tools/dev/record-statements.mjs).
 */
import { createHash } from 'node:crypto';
import { subscribe } from 'node:diagnostics_channel';
import { existsSync, renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import pg from 'pg';

/** Content of one file of the folder. */
export interface RecordedStatement {
  text: string;
  /** Caller's position; empty when the stack does not show it. */
  at: string;
  /** Of its connection; migrations have their own. */
  application: string;
  /** Prepared under a name: PostgreSQL keeps it for the connection. */
  kept: boolean;
}

let patched = false;
let folder = process.env.STORE_STATEMENTS_DIR ?? '';
const framesMax = 40;
/** Stack frames that pass a statement on and are not its origin; some files of libs/db have statements of their own. */
export const passesOn =
  /node_modules|node:|record-statements\.ts|[\\/]libs[\\/]db[\\/]src[\\/](?!.*(?:\.test|running-totals|compact-sums|idempotency)\.ts)/;
const seen = new Set<string>();
const askedAt = new Map<string, string>();

/** Notes the caller, because the pool has lost the stack by the time pg receives the text. */
function noteStatement(text: string): void {
  if (folder !== '' && !askedAt.has(text)) askedAt.set(text, askingFrame());
}

function askingFrame(): string {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = framesMax;
  const lines = new Error().stack?.split('\n').slice(1) ?? [];
  Error.stackTraceLimit = stackTraceLimit;
  const frame = lines.find((line) => /:\d+:\d+\)?$/.test(line) && !passesOn.test(line)) ?? '';
  return frame.replace(/^.*?(?:file:\/\/)?\//, '/').replace(/(:\d+):\d+\)?$/, '$1');
}

function recordStatement(text: string, application: string, kept: boolean): void {
  if (folder === '' || seen.has(text)) return;
  seen.add(text);
  // Processes that record the same text write the same file; the first one remains.
  const file = path.join(folder, `${createHash('sha256').update(text).digest('hex')}.json`);
  if (existsSync(file)) return;
  const recorded: RecordedStatement = { text, at: askedAt.get(text) ?? askingFrame(), application, kept };
  // Whole at once: another process may write the same file.
  const part = `${file}.${process.pid}`;
  writeFileSync(part, JSON.stringify(recorded));
  renameSync(part, file);
}

if (folder !== '') patchClient();

/** From now on in this folder, as if the variable named it. */
export function recordStatementsIn(otherFolder: string): void {
  folder = otherFolder;
  patchClient();
}

function patchClient(): void {
  if (patched) return;
  patched = true;
  subscribe('store.db.asked', (text) => noteStatement(String(text)));
  const query = pg.Client.prototype.query as (...args: unknown[]) => unknown;
  Object.assign(pg.Client.prototype, {
    query(this: pg.Client & { connectionParameters?: { application_name?: string } }, ...args: unknown[]) {
      const { text, name } = typeof args[0] === 'string' ? { text: args[0] } : (args[0] as { text?: unknown; name?: string });
      if (typeof text === 'string') recordStatement(text, this.connectionParameters?.application_name ?? '', name !== undefined);
      return query.apply(this, args);
    },
  });
}
