/** The consumer group of an app's own name: in its process, or beside its relay. */
import { type AppName, groupsOf } from '@store/contract';
import type { Db } from '@store/db';
import { type Consumer, consume, type Message, type Transport } from '@store/events';
import { consumerPause } from './consumer-pause.ts';
import type { Log } from './log.ts';

export interface ConsumerDeclaration extends Pick<Consumer, 'wants' | 'handle' | 'pending'> {
  /** Pause between small batches (100 ms; 250 ms after one that changed nothing that is awaited); 0 where requests depend on it. */
  lingerMs?(): number;
  /** Runs in the relay process, off the request path. */
  withRelay?: boolean;
  /** Whether somebody may wait for what it changes, of messages that it wants; absent: for all. */
  isAwaited?(message: Message): boolean;
}

export async function startConsumer(
  app: AppName,
  consumer: ConsumerDeclaration,
  { db, log, transport }: { db: Db; log: Log; transport: Transport },
): Promise<void> {
  const { took, lingerMs } = consumerPause(consumer.isAwaited);
  const { topics } = groupsOf(app).find(({ group }) => group === app)!;
  const handle = consume({ db, log, took, ...consumer });
  await transport.subscribe({ group: app, topics, lingerMs: consumer.lingerMs ?? lingerMs, handle });
}
