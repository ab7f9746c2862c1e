import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { appNames, groupsOf } from '@store/contract';
import { watchGroups } from '@store/events';
import { atBackupMoment, type Moment } from './backup-moment.ts';
import { printUsage } from './command.ts';
import { BadConfig } from './config.ts';
import { databaseUrls } from './database-urls.ts';
import { brokersOf, kafkaAccess } from './kafka-settings.ts';

const usage = `backup-moment: a moment at which every event that has left an outbox is handled by every consumer.

  --within <seconds>   gives up when consumers are behind for longer (default 60)
  -- <program> …       runs it on that moment, {snapshot} replaced: pg_dump --snapshot={snapshot} --format=custom --file=store.dump …
  --help

DATABASE_URL (or DATABASE_SESSION_URL), KAFKA_BROKERS, KAFKA_PREFIX and how Kafka is reached are those of the services. Until the moment is found, which takes about
a second, events wait in their outboxes; requests are answered. It prints the recovery_target_lsn to which a base backup is restored.`;

const withinMaxSeconds = 3_600;

/** `done` is called with the address of PostgreSQL once the program has made the backup. */
export async function backupMomentCommand(args: string[], done: (url: string) => Promise<void>): Promise<boolean> {
  const options = { within: { type: 'string', default: '60' }, help: { type: 'boolean', default: false } } as const;
  const { values, positionals } = parseArgs({ args, options, allowPositionals: true });
  if (values.help) return printUsage(usage);
  const seconds = Number(values.within);
  if (!(seconds >= 1 && seconds <= withinMaxSeconds)) throw new BadConfig(`--within must be from 1 to ${withinMaxSeconds} seconds.`);
  const { KAFKA_BROKERS: brokers, KAFKA_PREFIX: prefix = '' } = process.env;
  const missing = 'DATABASE_URL and KAFKA_BROKERS name what the services use.';
  const { sessionUrl } = databaseUrls(process.env, missing);
  if (!brokers) throw new BadConfig(missing);
  const kafka = { brokers: brokersOf(brokers), prefix, access: kafkaAccess(process.env), log: quiet };
  const unreachable = (cause: Error) => {
    throw new BadConfig(`Kafka does not answer for the topics with the prefix "${prefix}": ${cause.message}`, { cause });
  };
  const watch = await watchGroups(kafka, appNames.flatMap(groupsOf)).catch(unreachable);
  try {
    const behind = async () => (await watch.published().catch(unreachable)).groups;
    const isMade = await atBackupMoment({ url: sessionUrl, behind, withinMs: seconds * 1_000 }, (moment) => back(moment, positionals));
    // Without a program it does not know whether a base backup is made.
    if (isMade && positionals.length > 0) await done(sessionUrl);
    return isMade;
  } finally {
    await watch.close();
  }
}

/** The command's own error is printed once. */
const nothing = () => undefined;
const quiet = { error: nothing, warn: nothing, info: nothing };

async function back({ snapshot, lsn, waitedMs }: Moment, [program, ...args]: string[]): Promise<boolean> {
  console.log(`Events waited ${(waitedMs / 1_000).toFixed(1)} s.\nrecovery_target_lsn = '${lsn}'`);
  if (program === undefined) return true;
  const child = spawn(
    program,
    args.map((arg) => arg.replaceAll('{snapshot}', snapshot)),
    { stdio: 'inherit' },
  );
  const [code] = await once(child, 'exit');
  return code === 0;
}
