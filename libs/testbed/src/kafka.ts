/** The real Kafka of a test run. */
import { describe } from '@jest/globals';

/** `describe` for suites that need Kafka: skipped, with the reason in the title, where there is none. */
export function describeWithKafka(title: string, suite: (brokers: string[]) => void): void {
  const brokers = process.env.TEST_KAFKA_BROKERS;
  if (brokers) describe(title, () => suite(brokers.split(',')));
  else
    describe.skip(`${title} (skipped: ${process.env.TEST_KAFKA_SKIPPED ?? 'TEST_KAFKA_BROKERS is not set'})`, () => suite(['127.0.0.1:1']));
}
