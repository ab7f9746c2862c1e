/** Consumer groups for operators: their position, and starting again from the first message. */

import { type KafkaPlace, newKafka } from './client.ts';
import { retryRetriable } from './retry-retriable.ts';

export interface GroupOptions extends KafkaPlace {
  group: string;
  topics: string[];
}

export interface Standing {
  /** Messages that the topics hold or held. */
  written: number;
  /** Messages that the group has not handled yet. */
  behind: number;
}

/** The position of a group in its topics. */
export function standingOf(options: GroupOptions): Promise<Standing> {
  return standingBy(openAdmin, options);
}

/** A leader that moves meanwhile is found by a new client: kafkajs keeps the one that it knew for minutes. */
export function standingBy(open: OpenAdmin, options: GroupOptions): Promise<Standing> {
  return retryRetriable(() => withAdmin(options, readStanding, open));
}

async function readStanding(admin: Admin, groupId: string, topics: string[]): Promise<Standing> {
  const standing = { written: 0, behind: 0 };
  for (const topic of topics) {
    const [committed] = await admin.fetchOffsets({ groupId, topics: [topic] });
    for (const { partition, high } of await admin.fetchTopicOffsets(topic)) {
      // -1: the group has committed nothing there.
      const at = Math.max(0, Number(committed?.partitions.find((one) => one.partition === partition)?.offset ?? 0));
      standing.written += Number(high);
      standing.behind += Number(high) - at;
    }
  }
  return standing;
}

/**
 * Makes a group start at the first message again by deleting its offsets; its consumers drop events they have
 * handled. False while the group still has a member.
 */
export function rewind(options: GroupOptions): Promise<boolean> {
  return withAdmin(options, async (admin, groupId) => {
    try {
      await admin.deleteGroups([groupId]);
      return true;
    } catch (error) {
      if ((error as { groups?: { error?: { type?: string } }[] }).groups?.[0]?.error?.type !== 'NON_EMPTY_GROUP') throw error;
      return false;
    }
  });
}

type Admin = ReturnType<ReturnType<typeof newKafka>['admin']>;

type OpenAdmin = (options: GroupOptions) => Admin;
const openAdmin: OpenAdmin = (options) => newKafka({ ...options, clientId: 'store-groups' }).admin();

async function withAdmin<T>(
  options: GroupOptions,
  work: (admin: Admin, groupId: string, topics: string[]) => Promise<T>,
  open = openAdmin,
): Promise<T> {
  const { prefix = '', group, topics } = options;
  const admin = open(options);
  await admin.connect();
  try {
    return await work(
      admin,
      prefix + group,
      topics.map((topic) => prefix + topic),
    );
  } finally {
    await admin.disconnect();
  }
}
