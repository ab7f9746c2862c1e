/** The settings that a topic needs so that no event is lost and none is handled twice. */
import { eventBytesMax } from '../outbox/emit.ts';
import { dayMs } from '../retention.ts';

export interface TopicFacts {
  name: string;
  /** Of the partition with the fewest replicas. */
  replicas: number;
  /** A setting of the topic, by Kafka's name. */
  config(key: string): string;
}

export interface Demanded {
  brokers: number;
  retentionDays: number;
}

const replicasMax = 3;

/** One sentence per requirement that the topic does not meet. */
export function weaknessesOf({ name, replicas, config }: TopicFacts, { brokers, retentionDays }: Demanded): string[] {
  const number = (key: string) => Number(config(key));
  const wantedReplicas = Math.min(replicasMax, brokers);
  const wantedInSync = replicas >= replicasMax ? 2 : 1;
  const retentionMs = retentionDays * dayMs;
  const found: [boolean, string][] = [
    [replicas < wantedReplicas, `has ${replicas} of ${wantedReplicas} replicas: a broker that is lost takes its events along`],
    [
      number('min.insync.replicas') < wantedInSync,
      `min.insync.replicas must be at least ${wantedInSync}: what one broker alone has counts as sent`,
    ],
    [
      config('unclean.leader.election.enable') === 'true',
      'unclean.leader.election.enable must be false: a broker that missed events may lead',
    ],
    [config('cleanup.policy') !== 'delete', 'cleanup.policy must be delete: compaction removes events that were not handled'],
    [
      number('retention.ms') < 0 || number('retention.ms') > retentionMs,
      `retention.ms must be ${retentionMs} at most (EVENT_RETENTION_DAYS=${retentionDays}): inboxes forget an event before the topic does`,
    ],
    [
      number('retention.ms') >= 0 && number('retention.ms') < retentionMs,
      `retention.ms must be ${retentionMs} at least (EVENT_RETENTION_DAYS=${retentionDays}): events go before a consumer that is down has had them`,
    ],
    [number('segment.ms') > retentionMs, `segment.ms must be ${retentionMs} at most: a segment keeps its events beyond their retention`],
    [
      config('message.timestamp.type') !== 'LogAppendTime',
      'message.timestamp.type must be LogAppendTime: events of a relay whose clock is wrong are refused, or removed before they are handled',
    ],
    [number('max.message.bytes') <= eventBytesMax, `max.message.bytes must be more than ${eventBytesMax}: an event may have that many`],
  ];
  return found.filter(([isWeak]) => isWeak).map(([, sentence]) => `The topic ${name}: ${sentence}`);
}
