import { randomBytes } from 'node:crypto';
import { expect, test } from '@jest/globals';
import { weakTopics } from '@store/events';
import { describeWithKafka, logNothing } from '@store/testbed';
import { startBackingServers } from './backing-servers.ts';

describeWithKafka('the topics of a fleet', (brokers) => {
  test('have the prefix under which its processes look for them', async () => {
    const prefix = `${randomBytes(4).toString('hex')}.`;
    // Servers that are given are not started here.
    const servers = {
      DATABASE_URL: 'postgres://given',
      REDIS_URL: 'redis://given',
      KAFKA_BROKERS: brokers.join(','),
      KAFKA_PREFIX: prefix,
    };
    Object.assign(process.env, servers);
    const parts = await startBackingServers('none', false, () => undefined);
    await parts.stop();
    const missing = (await weakTopics({ brokers, prefix, log: logNothing, retentionDays: 7 })).filter((one) => one.includes('is missing'));
    expect(missing).toEqual([]);
  }, 60_000);
});
