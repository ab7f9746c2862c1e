/** How this project opens kafkajs. */
import { Kafka, logLevel } from 'kafkajs';
import { kafkaSockets } from './kafka-sockets.ts';
import { fixKafkaTimers } from './kafka-timer-fix.ts';

export interface KafkaOptions {
  /** host:port of some brokers. */
  brokers: string[];
  /** Name of this process in the brokers' logs. */
  clientId: string;
  /** Put before the name of every topic and group, so that several installations can share brokers. */
  prefix?: string;
  log: KafkaLog;
  /** A consumer stopped for good: the process should end and be started again. */
  onFatal(error: Error): void;
}

export interface KafkaLog {
  error(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  info(fields: object, message: string): void;
}

/** The one way in which this project opens a kafkajs client. */
export function newKafka({ brokers, clientId, log }: Pick<KafkaOptions, 'brokers' | 'clientId' | 'log'>): Kafka {
  fixKafkaTimers();
  return new Kafka({
    brokers,
    clientId,
    connectionTimeout: 3_000,
    requestTimeout: 30_000,
    socketFactory: kafkaSockets(),
    logLevel: logLevel.WARN,
    logCreator:
      () =>
      ({ level, log: { message, error, ...rest } }) => {
        const fields = { kafka: rest.groupId ?? rest.clientId, detail: error };
        if (level <= logLevel.ERROR) log.error(fields, message);
        else log.warn(fields, message);
      },
  });
}
