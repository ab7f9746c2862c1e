/**
 * Loaded into a measured process (`node --import`): counts the statements that it sends to PostgreSQL, the transactions among
 * them, its gRPC calls and its requests to Kafka. Each SIGUSR2 writes the counts so far to `<pid>` in the folder that
 * CALL_COUNT_DIR names.
 */
import { renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { Client } from '@grpc/grpc-js';
import pg from 'pg';

/** What one process has done so far. */
export interface CallCounts {
  statements: number;
  transactions: number;
  calls: number;
  produces: number;
  offsetCommits: number;
}

const counts: CallCounts = { statements: 0, transactions: 0, calls: 0, produces: 0, offsetCommits: 0 };
const beginning = /^\s*(?:begin|start transaction)\b/i;

type Method = (...args: unknown[]) => unknown;

function before(prototype: object, name: string, count: (...args: unknown[]) => void): void {
  const methods = prototype as Record<string, Method>;
  const original = methods[name]!;
  methods[name] = function counted(this: unknown, ...args) {
    count(...args);
    return original.apply(this, args);
  };
}

before(pg.Client.prototype, 'query', (asked) => {
  const text = typeof asked === 'string' ? asked : (asked as { text?: unknown } | undefined)?.text;
  counts.statements += 1;
  if (typeof text === 'string' && beginning.test(text)) counts.transactions += 1;
});
before(Client.prototype, 'makeUnaryRequest', () => {
  counts.calls += 1;
});
const broker = (createRequire(import.meta.url)('kafkajs/src/broker') as { prototype: object }).prototype;
before(broker, 'produce', () => {
  counts.produces += 1;
});
before(broker, 'offsetCommit', () => {
  counts.offsetCommits += 1;
});

// Imported for its type alone where no folder is named.
if (process.env.CALL_COUNT_DIR) {
  const file = path.join(process.env.CALL_COUNT_DIR, String(process.pid));
  process.on('SIGUSR2', () => {
    writeFileSync(`${file}.part`, JSON.stringify(counts));
    renameSync(`${file}.part`, file);
  });
}
