/** The only place that opens a kafkajs client. */
import { createRequire } from 'node:module';
import type { Admin, Kafka, SASLOptions } from 'kafkajs';
import { kafkaTiming } from '../timing.ts';
import { kafkaSockets } from './sockets.ts';

export interface KafkaOptions {
  /** host:port of some brokers. */
  brokers: string[];
  clientId: string;
  /** Put before the name of every topic and group, so that several installations can share brokers. */
  prefix?: string;
  /** TLS and password towards the brokers; absent: a plain connection without authentication. */
  access?: KafkaAccess;
  commitEveryMs?: number;
  log: KafkaLog;
  /** Called when a consumer has stopped permanently: the process should end and be started again. */
  onFatal(error: Error): void;
}

export interface KafkaAccess {
  /** TLS; `ca`: PEM of the authority of the brokers, absent: those that Node knows. */
  tls?: { ca: string | undefined } | undefined;
  sasl?: { mechanism: 'plain' | 'scram-sha-256' | 'scram-sha-512'; username: string; password: string } | undefined;
}

export type KafkaPlace = Pick<KafkaOptions, 'brokers' | 'prefix' | 'access' | 'log'>;

export interface KafkaLog {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

const require = createRequire(import.meta.url);

/** Loaded with the first client: a tenth of all modules, which `npm start` and most tests never use. */
export function kafkajs(): typeof import('kafkajs') {
  const loaded = require('kafkajs') as typeof import('kafkajs') & { isPatched?: boolean };
  // Unpatched it uses processor time while idle, and a consumer may never stop (docs/decisions/0078).
  if (!loaded.isPatched) throw new Error('kafkajs is not patched: run npx patch-package');
  return loaded;
}

export function newKafka({ brokers, clientId, access, log }: Omit<KafkaPlace, 'prefix'> & Pick<KafkaOptions, 'clientId'>): Kafka {
  const { Kafka, logLevel } = kafkajs();
  return new Kafka({
    brokers,
    clientId,
    ...(access?.tls && { ssl: access.tls.ca === undefined ? true : { ca: access.tls.ca } }),
    ...(access?.sasl && { sasl: access.sasl as SASLOptions }),
    connectionTimeout: kafkaTiming.connectMaxMs,
    requestTimeout: kafkaTiming.requestMaxMs,
    socketFactory: kafkaSockets(),
    logLevel: logLevel.WARN,
    logCreator:
      () =>
      ({ log: { message, error, ...rest } }) =>
        // Its errors too are tried again.
        log.warn({ kafka: rest.groupId ?? rest.clientId, detail: error }, message),
  });
}

export type OpenAdmin = (place: KafkaPlace) => Admin;
const openAdmin: OpenAdmin = (place) => newKafka({ ...place, clientId: 'store-admin' }).admin();

/** Runs `work` with a client that is closed at its end. */
export async function withAdmin<T>(place: KafkaPlace, work: (admin: Admin) => Promise<T>, open = openAdmin): Promise<T> {
  const admin = open(place);
  await admin.connect();
  try {
    return await work(admin);
  } finally {
    await admin.disconnect();
  }
}
