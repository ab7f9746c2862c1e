import { expect, test } from '@jest/globals';
import type { Consumer } from 'kafkajs';
import { KafkaProgress } from './progress.ts';

type Listener = (event: { payload: { restart: boolean; error: Error } }) => void;

/** A fake consumer that emits the events a test asks for. */
function fakeConsumer() {
  const listeners = new Map<string, Listener>();
  const names = ['FETCH', 'END_BATCH_PROCESS', 'GROUP_JOIN', 'REQUEST_TIMEOUT', 'CRASH', 'HEARTBEAT'];
  const fake = {
    events: Object.fromEntries(names.map((name) => [name, name])),
    on: (name: string, listener: Listener) => void listeners.set(name, listener),
  };
  const say = (name: string, restart = true) => listeners.get(name)?.({ payload: { restart, error: new Error('coordinator not found') } });
  return { consumer: fake as unknown as Consumer, say };
}

function watched() {
  const time = { ms: 0 };
  const fatal: string[] = [];
  const progress = new KafkaProgress(
    (error) => fatal.push(error.message),
    () => time.ms,
  );
  const { consumer, say } = fakeConsumer();
  progress.watch(consumer, 'catalog');
  return { progress, say, fatal, time };
}

test('a consumer that kafkajs will not restart is fatal, so that the process ends', () => {
  const { say, fatal } = watched();
  say('CRASH', true);
  expect(fatal).toEqual([]);
  say('CRASH', false);
  expect(fatal).toEqual(['coordinator not found']);
});

test('a consumer that ends while we stop is not fatal', () => {
  const { progress, say, fatal } = watched();
  progress.stop();
  say('CRASH', false);
  expect(fatal).toEqual([]);
});

test('a consumer without progress for a minute is stuck, despite its heartbeats', () => {
  const { progress, say, time } = watched();
  time.ms = 60_000;
  expect(progress.stuck()).toBeUndefined();
  say('HEARTBEAT');
  time.ms = 60_001;
  expect(progress.stuck()).toBe('the consumer catalog has made no progress for 60 s');
});

test.each(['FETCH', 'END_BATCH_PROCESS', 'GROUP_JOIN', 'REQUEST_TIMEOUT', 'CRASH'])(
  '%s is progress: Kafka being down restarts nobody',
  (name) => {
    const { progress, say, time } = watched();
    time.ms = 50_000;
    say(name);
    time.ms = 110_000;
    expect(progress.stuck()).toBeUndefined();
  },
);
