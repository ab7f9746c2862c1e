/** The relay of an app's schema; a backlog waits for the groups that listen to its topic. */
import { type AppName, appNames, groupsOf, topicOf } from '@store/contract';
import { ConsumerPace, Relay, type RelayOptions } from '@store/events';
import type { Log } from './log.ts';

interface OpenRelayOptions extends Pick<RelayOptions, 'url' | 'transport' | 'lingerMs' | 'busyLingerMs'> {
  log: Log;
}

export function openRelay(schema: AppName, options: OpenRelayOptions): Relay {
  const { transport, log } = options;
  const topic = topicOf(schema);
  const listening = appNames
    .flatMap(groupsOf)
    .filter(({ topics }) => topics.includes(topic))
    .map(({ group }) => group);
  const { behind } = transport;
  const consumers = behind && new ConsumerPace({ behind: () => behind.call(transport, topic, listening), log });
  return new Relay({ ...options, schema, ...(consumers && { consumers }) });
}
