import { afterEach, beforeEach, expect, jest, test } from '@jest/globals';
import { keptPlacement } from './citus.ts';
import type { Ask } from './sql.ts';

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => {
  jest.useRealTimers();
});

/** What PostgreSQL answers, which may change. */
const answering = (answer: { citus: boolean; stores: boolean }) => {
  let questions = 0;
  const ask: Ask = async <Row>(text: string) => {
    if (text.includes('pg_extension')) questions += 1;
    return [answer] as Row[];
  };
  return { placement: keptPlacement(ask, 'shop'), questions: () => questions };
};

test('one server stays one: it is asked once', async () => {
  const { placement, questions } = answering({ citus: false, stores: false });
  expect(await Promise.all([placement(), placement()])).toEqual(['server', 'server']);
  jest.advanceTimersByTime(60_000);
  expect([await placement(), questions()]).toEqual(['server', 1]);
});

test('a schema that may yet be distributed by store is asked again after a while', async () => {
  const answer = { citus: true, stores: false };
  const { placement, questions } = answering(answer);
  expect(await placement()).toBe('schemas');
  answer.stores = true;
  expect([await placement(), questions()]).toEqual(['schemas', 1]);
  jest.advanceTimersByTime(60_000);
  expect([await placement(), questions()]).toEqual(['stores', 2]);
  jest.advanceTimersByTime(60_000);
  expect([await placement(), questions()]).toEqual(['stores', 2]);
});

test('a question that failed is asked again', async () => {
  let isDown = true;
  const ask: Ask = async <Row>() => {
    if (isDown) throw new Error('down');
    return [{ citus: false }] as Row[];
  };
  const placement = keptPlacement(ask, 'shop');
  await expect(placement()).rejects.toThrow('down');
  isDown = false;
  expect(await placement()).toBe('server');
});
