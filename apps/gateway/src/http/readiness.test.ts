import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import express from 'express';
import { listeningServers } from '../../test/listening.ts';
import { gateway, shareGateway } from '../../test/shared-gateway.ts';
import { readiness } from './readiness.ts';

shareGateway();
const listening = listeningServers();

test('any number of requests asks PostgreSQL once a second; each gets the last answer', async () => {
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
  const url = await listening(createServer(express().get('/readyz', door)));
  const statuses = async () => {
    const answers = await Promise.all(Array.from({ length: 50 }, () => fetch(`${url}/readyz`)));
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
});
