/** The webhooks service as the tests of one file share it, emptied before each. */
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import { type WebhooksUnderTest, webhooksUnderTest } from './webhooks-under-test.ts';

/** Started before the first test of the file. */
export let webhooks: WebhooksUnderTest;

/** Starts webhooks before the tests of the file, stops it after them, and removes everything before each test. */
export function shareWebhooks(): void {
  beforeAll(async () => {
    webhooks = await webhooksUnderTest();
  });
  afterAll(() => webhooks.close());
  beforeEach(() => webhooks.reset());
}
