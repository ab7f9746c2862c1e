/** How this process connects to Kafka, by configuration: one place for services and for every command that opens a client. */
import type { KafkaAccess } from '@store/events';
import { z } from 'zod';
import { type Config, pemFile, readConfig, refuseBadConfig, type Settings, setting, text } from './config.ts';

export const kafkaSettings = {
  KAFKA_SSL: setting(z.enum(['true', 'false']), 'false', 'true: Kafka is reached over TLS'),
  KAFKA_CA_FILE: setting(pemFile, '', "PEM file of the certificate authority of Kafka's brokers; empty: the authorities that Node trusts"),
  KAFKA_SASL_MECHANISM: setting(
    z.enum(['', 'plain', 'scram-sha-256', 'scram-sha-512']),
    '',
    'how to log in to Kafka: plain (only with KAFKA_SSL), scram-sha-256 or scram-sha-512; empty: no login',
  ),
  KAFKA_SASL_USERNAME: setting(text, '', 'user of Kafka'),
  KAFKA_SASL_PASSWORD: setting(text, '', 'password of that user'),
} satisfies Settings;

export const brokersOf = (list: string): string[] => list.split(',').map((broker) => broker.trim());

/** The options of a Kafka client besides brokers; refuses settings that contradict each other. */
export function kafkaAccess(env: NodeJS.ProcessEnv): KafkaAccess {
  const config = readConfig(kafkaSettings, env);
  refuseBadConfig(misfits(config));
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD: password } = config;
  return {
    tls: config.KAFKA_SSL === 'true' ? { ca: config.KAFKA_CA_FILE } : undefined,
    sasl: mechanism === '' ? undefined : { mechanism, username, password },
  };
}

function misfits(config: Config<typeof kafkaSettings>): string[] {
  const isEncrypted = config.KAFKA_SSL === 'true';
  const { KAFKA_SASL_MECHANISM: mechanism, KAFKA_SASL_USERNAME: username, KAFKA_SASL_PASSWORD: password } = config;
  const given = [mechanism, username, password].filter((part) => part !== '').length;
  return [
    ...(given % 3 === 0 ? [] : ['KAFKA_SASL_MECHANISM, KAFKA_SASL_USERNAME and KAFKA_SASL_PASSWORD go together: set all three or none']),
    ...(mechanism === 'plain' && !isEncrypted ? ['KAFKA_SASL_MECHANISM plain sends the password as it is: KAFKA_SSL must be true'] : []),
    ...(config.KAFKA_CA_FILE !== undefined && !isEncrypted ? ['KAFKA_CA_FILE is of no use without KAFKA_SSL=true'] : []),
  ];
}
