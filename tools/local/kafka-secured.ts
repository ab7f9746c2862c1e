/** A Kafka broker that accepts only TLS connections with a password: for tests of the settings that production uses. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { endChild } from './end-child.ts';
import { freePort } from './free-port.ts';
import { kafkaMissing, launch, untilListening } from './kafka.ts';
import type { RunningServer } from './postgres.ts';

export interface SecuredKafkaOptions {
  /** The broker's certificate and key, PEM. */
  certificate: { key: string; cert: string };
  user: string;
  password: string;
}

/** Starts it on an empty `dir`, which is deleted when it stops; or says why that is impossible. */
export async function startSecuredKafka(
  dir: string,
  log: (line: string) => void,
  { certificate, user, password }: SecuredKafkaOptions,
): Promise<RunningServer | { skipped: string }> {
  const missing = kafkaMissing(log);
  if (missing) return { skipped: missing };
  const port = await freePort(19_292);
  const controller = await freePort(port + 1);
  const inside = await freePort(controller + 1);
  mkdirSync(dir, { recursive: true });
  const identity = path.join(dir, 'identity.pem');
  writeFileSync(identity, certificate.key + certificate.cert, { mode: 0o600 });
  const login = 'org.apache.kafka.common.security';
  const settings = {
    'controller.quorum.voters': `1@127.0.0.1:${controller}`,
    // The broker itself uses a separate listener, as it would on an internal network.
    listeners: `SASL_SSL://127.0.0.1:${port},PLAINTEXT://127.0.0.1:${inside},CONTROLLER://127.0.0.1:${controller}`,
    'advertised.listeners': `SASL_SSL://127.0.0.1:${port},PLAINTEXT://127.0.0.1:${inside}`,
    'listener.security.protocol.map': 'SASL_SSL:SASL_SSL,PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT',
    'inter.broker.listener.name': 'PLAINTEXT',
    'ssl.keystore.type': 'PEM',
    'ssl.keystore.location': identity,
    'sasl.enabled.mechanisms': ['PLAIN', ...scram].join(','),
    'listener.name.sasl_ssl.plain.sasl.jaas.config': `${login}.plain.PlainLoginModule required user_${user}="${password}";`,
    ...Object.fromEntries(
      scram.map((name) => [`listener.name.sasl_ssl.${name.toLowerCase()}.sasl.jaas.config`, `${login}.scram.ScramLoginModule required;`]),
    ),
    'offsets.topic.num.partitions': 1,
  };
  const options = scram.flatMap((mechanism) => ['--add-scram', `${mechanism}=[name=${user},password=${password}]`]);
  const child = await launch(dir, settings, { options });
  await untilListening(child, port, dir);
  return {
    url: `127.0.0.1:${port}`,
    pid: child.pid!,
    stop: async () => {
      await endChild(child);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

const scram = ['SCRAM-SHA-256', 'SCRAM-SHA-512'];
