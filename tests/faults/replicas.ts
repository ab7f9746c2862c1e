/** A topic's replicas and leaders, over one connection, to move leaders and wait for replicas. */
import { type KafkaPlace, newKafka } from '@store/events/kafka';

export interface Replicas {
  /** Makes the next replica of each partition its preferred leader; the brokers move leadership at their next check. */
  rotateLeaders(): Promise<void>;
  /** Whether every replica of every partition is in sync. */
  inSync(): Promise<boolean>;
  close(): Promise<void>;
}

export async function openReplicas(options: KafkaPlace, name: string): Promise<Replicas> {
  const admin = newKafka({ ...options, clientId: 'store-replicas' }).admin();
  await admin.connect();
  const topic = (options.prefix ?? '') + name;
  const partitions = async () => (await admin.fetchTopicMetadata({ topics: [topic] })).topics[0]!.partitions;
  return {
    rotateLeaders: async () => {
      const partitionAssignment = (await partitions()).map(({ partitionId: partition, replicas }) => ({
        partition,
        replicas: [...replicas.slice(1), ...replicas.slice(0, 1)],
      }));
      await admin.alterPartitionReassignments({ topics: [{ topic, partitionAssignment }] });
    },
    inSync: async () => (await partitions()).every(({ isr, replicas }) => isr.length === replicas.length),
    close: () => admin.disconnect(),
  };
}
