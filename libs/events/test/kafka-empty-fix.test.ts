import { createRequire } from 'node:module';
import { expect, test } from '@jest/globals';
import { fixKafkaEmptyBatches } from '../src/kafka-empty-fix.ts';

const require = createRequire(import.meta.url);

test('a fetch hands on the partitions that have messages, or an offset that must move, and no empty ones', async () => {
  fixKafkaEmptyBatches();
  const group = (require('kafkajs/src/consumer/consumerGroup') as { prototype: { fetch(nodeId: string): Promise<unknown[]> } }).prototype;
  const partition = (number: number, messages: object[]) => ({ partition: number, highWatermark: '9', messages });
  const fetched = await group.fetch.call(
    {
      cluster: {
        refreshMetadataIfNecessary: async () => undefined,
        findBroker: async () => ({
          fetch: async () => ({
            responses: [
              { topicName: 't', partitions: [partition(0, []), partition(1, [{ offset: '7' }]), partition(2, [{ offset: '3' }])] },
            ],
          }),
        }),
      },
      checkForStaleAssignment: () => undefined,
      subscriptionState: { assigned: () => [{ topic: 't', partitions: [0, 1, 2] }], isPaused: () => false },
      filterPartitionsByNode: (_node: string, assigned: unknown) => assigned,
      seekOffsets: async () => undefined,
      getActiveTopicPartitions: () => ({ t: new Set([0, 1, 2]) }),
      offsetManager: { committedOffsets: () => ({ t: { 0: '7', 1: '7', 2: '7' } }), nextOffset: () => 7 },
      seekOffset: { has: () => false },
      preferredReadReplicasPerTopicPartition: {},
    },
    '1',
  );
  // The message of partition 2 is older than the offset that was asked for.
  expect(fetched).toMatchObject([{ partition: 1 }, { partition: 2 }]);
});
