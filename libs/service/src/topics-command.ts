/** `topics`: creates missing topics with their final partitions; adding partitions later would break the order per record. */
import { parseArgs } from 'node:util';
import { topics } from '@store/contract';
import { createTopics, retentionDaysDefault, weakTopics } from '@store/events';
import { printUsage } from './command.ts';
import { BadConfig } from './config.ts';
import { brokersOf, kafkaAccess } from './kafka-settings.ts';

const usage = `npm run topics: creates the Kafka topics that are missing.

  --brokers <host:port,…>  Kafka (default: KAFKA_BROKERS)
  --prefix <text>          put before each topic's name (default: KAFKA_PREFIX, or nothing)
  --partitions <n>         of each new topic, for good (default 6)
  --replicas <n>           of each partition (default: 3, or as many as there are brokers)
  --retention-days <n>     how long events are kept (default: EVENT_RETENTION_DAYS, or ${retentionDaysDefault})
  --help

KAFKA_SSL, KAFKA_CA_FILE, KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD hold here as for services.
Topics: ${topics.join(', ')}. Those that are there stay as they are; what one of them does not hold to is said, and is a failure.`;

const most = 1_000;

/** False when a topic is weaker than what is demanded of it. */
export async function topicsCommand(args: string[]): Promise<boolean> {
  const { values } = parseArgs({
    args,
    options: {
      brokers: { type: 'string', default: process.env.KAFKA_BROKERS ?? '' },
      prefix: { type: 'string', default: process.env.KAFKA_PREFIX ?? '' },
      partitions: { type: 'string', default: '6' },
      replicas: { type: 'string' },
      'retention-days': { type: 'string', default: process.env.EVENT_RETENTION_DAYS ?? String(retentionDaysDefault) },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return printUsage(usage);
  const brokers = brokersOf(values.brokers);
  if (brokers.includes('')) throw new BadConfig('Name Kafka by --brokers or KAFKA_BROKERS: host:port, comma-separated.');
  const partitions = wholeNumber('--partitions', values.partitions);
  const replicas = values.replicas === undefined ? undefined : wholeNumber('--replicas', values.replicas);
  const retentionDays = wholeNumber('--retention-days', values['retention-days']);
  const access = kafkaAccess(process.env);
  const kafka = { brokers, prefix: values.prefix, access, retentionDays, log: { error: say, warn: say, info: () => undefined } };
  await createTopics({ ...kafka, partitions, replicas });
  const weak = await weakTopics(kafka);
  for (const sentence of weak) console.error(sentence);
  if (weak.length > 0) return false;
  console.log(`Topics with ${partitions} partitions: ${topics.map((topic) => values.prefix + topic).join(', ')}`);
  return true;
}

function say(fields: object, message: string): void {
  console.error(message, fields);
}

function wholeNumber(option: string, text: string): number {
  const number = Number(text);
  if (!Number.isInteger(number) || number < 1 || number > most) throw new BadConfig(`${option} must be a whole number from 1 to ${most}.`);
  return number;
}
