/** A Kafka broker that accepts only TLS connections with a password: for tests of the settings that production uses. */
import { mkdirSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { freePort } from './free-port.ts';
import { format, kafkaMissing, launch, newClusterId, type RunningKafka, stop, untilListening } from './kafka.ts';

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
  options: SecuredKafkaOptions,
): Promise<RunningKafka | { skipped: string }> {
  const missing = kafkaMissing(log);
  if (missing) return { skipped: missing };
  const port = await freePort(19_292);
  const controller = await freePort(port + 1);
  const inside = await freePort(controller + 1);
  mkdirSync(dir, { recursive: true });
  const identity = path.join(dir, 'identity.pem');
  writeFileSync(identity, options.certificate.key + options.certificate.cert, { mode: 0o600 });
  const settings = path.join(dir, 'server.properties');
  writeFileSync(settings, properties({ port, controller, inside, dir, identity, ...options }), { mode: 0o600 });
  const scram = ['SCRAM-SHA-256', 'SCRAM-SHA-512'].flatMap((mechanism) => [
    '--add-scram',
    `${mechanism}=[name=${options.user},password=${options.password}]`,
  ]);
  await format(settings, newClusterId(), scram);
  const child = launch(dir, settings);
  const endOnExit = () => child.kill('SIGKILL');
  process.once('exit', endOnExit);
  child.once('exit', () => process.removeListener('exit', endOnExit));
  await untilListening(child, port, dir);
  return {
    brokers: `127.0.0.1:${port}`,
    pid: child.pid!,
    stop: async () => {
      await stop(child);
      rmSync(dir, { recursive: true, force: true });
    },
  };
}

interface Properties extends SecuredKafkaOptions {
  port: number;
  controller: number;
  inside: number;
  dir: string;
  identity: string;
}

/** The broker itself uses a separate listener, as it would on an internal network. */
function properties({ port, controller, inside, dir, identity, user, password }: Properties): string {
  const login = 'org.apache.kafka.common.security';
  return `process.roles=broker,controller
node.id=1
controller.quorum.voters=1@127.0.0.1:${controller}
listeners=SASL_SSL://127.0.0.1:${port},PLAINTEXT://127.0.0.1:${inside},CONTROLLER://127.0.0.1:${controller}
advertised.listeners=SASL_SSL://127.0.0.1:${port},PLAINTEXT://127.0.0.1:${inside}
listener.security.protocol.map=SASL_SSL:SASL_SSL,PLAINTEXT:PLAINTEXT,CONTROLLER:PLAINTEXT
inter.broker.listener.name=PLAINTEXT
controller.listener.names=CONTROLLER
ssl.keystore.type=PEM
ssl.keystore.location=${identity}
sasl.enabled.mechanisms=PLAIN,SCRAM-SHA-256,SCRAM-SHA-512
listener.name.sasl_ssl.plain.sasl.jaas.config=${login}.plain.PlainLoginModule required user_${user}="${password}";
listener.name.sasl_ssl.scram-sha-256.sasl.jaas.config=${login}.scram.ScramLoginModule required;
listener.name.sasl_ssl.scram-sha-512.sasl.jaas.config=${login}.scram.ScramLoginModule required;
log.dirs=${path.join(dir, 'data')}
auto.create.topics.enable=false
offsets.topic.replication.factor=1
offsets.topic.num.partitions=1
transaction.state.log.replication.factor=1
transaction.state.log.min.isr=1
group.initial.rebalance.delay.ms=0
`;
}
