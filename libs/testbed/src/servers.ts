/** The real Redis and Kafka of a test run. */
import { describe } from '@jest/globals';

/** The URL of Redis, or undefined when none could be started: `npm test` reports the reason. */
export function testRedis(): string | undefined {
  return process.env.TEST_REDIS_URL || undefined;
}

/** `describe` for suites that need Redis: skipped, with the reason in the title, where there is none. */
export function describeWithRedis(title: string, suite: (url: string) => void): void {
  const url = testRedis();
  if (url) describe(title, () => suite(url));
  else describe.skip(`${title} (skipped: ${process.env.TEST_REDIS_SKIPPED ?? 'TEST_REDIS_URL is not set'})`, () => suite(''));
}

/** `describe` for suites that need Kafka: skipped, with the reason in the title, where there is none. */
export function describeWithKafka(title: string, suite: (brokers: string[]) => void): void {
  const brokers = process.env.TEST_KAFKA_BROKERS;
  if (brokers) describe(title, () => suite(brokers.split(',')));
  else
    describe.skip(`${title} (skipped: ${process.env.TEST_KAFKA_SKIPPED ?? 'TEST_KAFKA_BROKERS is not set'})`, () => suite(['127.0.0.1:1']));
}
