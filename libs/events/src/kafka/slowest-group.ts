/** How far the slowest of several groups is behind in one topic. */
import type { Admin } from 'kafkajs';
import { behindIn } from './group-watch.ts';

export async function slowest(admin: Admin, prefix: string, topic: string, groups: string[]): Promise<number> {
  // Asked after the groups: a message that comes in between is not handled yet.
  const committed = await Promise.all(groups.map((group) => admin.fetchOffsets({ groupId: prefix + group, topics: [prefix + topic] })));
  const written = await admin.fetchTopicOffsets(prefix + topic);
  const behind = committed.map(([one]) => {
    const at = new Map(one?.partitions.map(({ partition, offset }) => [partition, Number(offset)]));
    return written.reduce((sum, { partition, high }) => sum + behindIn(Number(high), at.get(partition) ?? 0), 0);
  });
  return Math.max(0, ...behind);
}
