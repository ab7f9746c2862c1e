/** A database with the schema `shop`, as the tests of one file share it. */
import { afterAll, beforeAll } from '@jest/globals';
import { SetClock, testDatabase } from '@store/testbed';
import { openClient } from '@store/testbed/with-client';
import type pg from 'pg';
import { type Db, type DbOptions, openDb } from '../src/db.ts';

export const clock = new SetClock('2026-11-20T12:00:00Z');
export let url: string;
export let db: Db;
/** A connection beside those of `db`. */
export let admin: pg.Client;

/** `tables`: what is in the schema. */
export function shareDatabase(tables = '', options: Partial<DbOptions> = {}): void {
  let drop: () => Promise<void>;
  beforeAll(async () => {
    ({ url, close: drop } = await testDatabase('db', async () => undefined));
    admin = await openClient(url);
    await admin.query(`create schema shop; set search_path to shop, public; ${tables}`);
    db = await openDb({ url, schema: 'shop', entities: [], clock, ...options });
  });
  afterAll(async () => {
    await db.close();
    await admin.end();
    await drop();
  });
}

export const nextRound = () => new Promise((resolve) => setImmediate(resolve));

/** Resolves once each of `count` parties has arrived. */
export function meeting(count: number): () => Promise<void> {
  const all = Promise.withResolvers<void>();
  let missing = count;
  return () => {
    missing -= 1;
    if (missing <= 0) all.resolve();
    return all.promise;
  };
}
