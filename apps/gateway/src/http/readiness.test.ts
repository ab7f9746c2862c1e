import { afterAll, beforeAll, expect, test } from '@jest/globals';
import express from 'express';
import { gatewayUnderTest } from '../../test/gateway-under-test.ts';
import { readiness } from './readiness.ts';

let gateway: Awaited<ReturnType<typeof gatewayUnderTest>>;
beforeAll(async () => {
  gateway = await gatewayUnderTest();
});
afterAll(() => gateway.close());

test('any number of requests asks PostgreSQL once a second, and each gets the answer of the last look', async () => {
  let [asked, nowMs, isAway] = [0, 0, false];
  const { db } = gateway.app;
  const ping = async () => {
    asked += 1;
    if (isAway) throw new Error('away');
    await db.ping();
  };
  const door = readiness(
    { app: { ...gateway.app, db: { ...db, ping } } },
    () => false,
    () => nowMs,
  );
  const server = express().get('/readyz', door).listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  const { port } = server.address() as { port: number };
  const statuses = async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(`http://127.0.0.1:${port}/readyz`)));
    return [...new Set(answers.map(({ status }) => status))];
  };
  expect([await statuses(), asked]).toEqual([[200], 1]);
  isAway = true;
  nowMs += 999;
  expect([await statuses(), asked]).toEqual([[200], 1]);
  nowMs += 1;
  expect([await statuses(), asked]).toEqual([[503], 2]);
  isAway = false;
  nowMs += 1_000;
  expect([await statuses(), asked]).toEqual([[200], 3]);
  server.closeAllConnections();
  server.close();
});
