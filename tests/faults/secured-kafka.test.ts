/** The settings of production for Kafka, on a real broker that is reached over TLS and by password only. */
import { spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { topics } from '@store/contract';
import { createTopics, type KafkaAccess, KafkaTransport, type Message, standingOf } from '@store/events';
import { BadConfig, kafkaAccess } from '@store/service';
import { describeWithKafka, logNothing } from '@store/testbed';
import { throwAwayCa } from '@store/testbed/certificates';
import { repository } from '../../tools/local/data-dir.ts';
import { startSecuredKafka } from '../../tools/local/kafka-secured.ts';
import type { RunningServer } from '../../tools/local/postgres.ts';
import { openBeforeAll } from '../kit/use.ts';

const [user, password] = ['store', 'not-to-be-seen-7'];
const mechanisms = ['plain', 'scram-sha-256', 'scram-sha-512'] as const;
const withinMs = 120_000;

describeWithKafka('a Kafka over TLS, with a user and a password', () => {
  let kafka: RunningServer;
  let settings: Record<string, string>;

  openBeforeAll(async (opened) => {
    const dir = mkdtempSync(path.join(tmpdir(), 'kafka-secured-'));
    await opened(Promise.resolve(dir), async () => rmSync(dir, { recursive: true, force: true }));
    const authority = throwAwayCa();
    const started = await startSecuredKafka(path.join(dir, 'broker'), () => undefined, {
      certificate: authority.issue({ names: ['127.0.0.1'] }),
      user,
      password,
    });
    if ('skipped' in started) throw new Error(started.skipped);
    kafka = await opened(Promise.resolve(started), (one) => one.stop());
    const file = path.join(dir, 'ca.pem');
    writeFileSync(file, authority.caPem);
    settings = { KAFKA_SSL: 'true', KAFKA_CA_FILE: file, KAFKA_SASL_USERNAME: user, KAFKA_SASL_PASSWORD: password };
  });

  const place = (access: KafkaAccess, prefix = '') => ({ brokers: [kafka.url], prefix, access, log: logNothing });

  test.each(mechanisms)(
    'KAFKA_SASL_MECHANISM=%s: topics are made by npm run topics, and an event travels',
    async (mechanism) => {
      const env = { ...settings, KAFKA_SASL_MECHANISM: mechanism };
      const prefix = `${mechanism}.`;
      const command = ['apps/catalog/src/run.ts', 'topics', '--brokers', kafka.url, '--prefix', prefix, '--partitions', '1'];
      const ended = spawnSync(process.execPath, command, {
        cwd: repository,
        encoding: 'utf8',
        env: { PATH: process.env.PATH, ...env },
        timeout: withinMs / 2,
      });
      expect(ended).toMatchObject({ status: 0, stdout: expect.stringContaining(prefix + topics[0]) });
      const at = place(kafkaAccess(env), prefix);
      const transport = new KafkaTransport({ ...at, clientId: 'secured', onFatal: () => undefined });
      try {
        const heard = new Promise<Message>((resolve) => {
          void transport.subscribe({ group: 'consumer', topics: ['gateway.events'], handle: async ([message]) => resolve(message!) });
        });
        const message: Message = {
          id: '01890000-0000-4000-8000-000000000001',
          topic: 'gateway.events',
          storeId: 1,
          name: 'store.changed',
          aggregate: 'store:1',
          public: null,
          internal: { store: { id: 1 } },
          actor: { type: 'system', key: null, user: null },
          requestId: 'r',
          createdAt: '2026-11-21T09:30:00.000Z',
        };
        await transport.publish([message]);
        expect(await heard).toMatchObject(message);
        expect((await standingOf({ ...at, group: 'consumer', topics: ['gateway.events'] })).written).toBe(1);
      } finally {
        await transport.stop();
      }
    },
    withinMs,
  );

  test.each<[string, (good: KafkaAccess) => KafkaAccess]>([
    ['a wrong password', (good) => ({ ...good, sasl: { ...good.sasl!, password: 'wrong' } })],
    ['no user', ({ tls }) => ({ tls })],
    ['no TLS', ({ sasl }) => ({ sasl })],
    ['a certificate of an authority that is not known', ({ sasl }) => ({ sasl, tls: { ca: undefined } })],
    ['a certificate of another authority', ({ sasl }) => ({ sasl, tls: { ca: throwAwayCa().caPem } })],
  ])(
    '%s is refused',
    async (_what, change) => {
      const good = kafkaAccess({ ...settings, KAFKA_SASL_MECHANISM: 'scram-sha-256' });
      await expect(createTopics({ ...place(change(good), 'refused.'), partitions: 1, replicas: 1 })).rejects.toThrow();
    },
    withinMs,
  );

  test.each<[Record<string, string>, string]>([
    [{ KAFKA_SASL_MECHANISM: 'scram-sha-256', KAFKA_SASL_USERNAME: user }, 'go together: set all three or none'],
    [{ KAFKA_SASL_PASSWORD: password }, 'go together: set all three or none'],
    [{ KAFKA_SASL_MECHANISM: 'plain', KAFKA_SASL_USERNAME: user, KAFKA_SASL_PASSWORD: password }, 'KAFKA_SSL must be true'],
    [{ KAFKA_SASL_MECHANISM: 'gssapi' }, 'KAFKA_SASL_MECHANISM'],
    [{ KAFKA_SSL: 'yes' }, 'KAFKA_SSL'],
    [{ KAFKA_CA_FILE: '/no/such/file' }, 'names no file'],
  ])('%j is refused at the start, and the password is not shown', (env, sentence) => {
    expect(() => kafkaAccess(env)).toThrow(BadConfig);
    expect(() => kafkaAccess(env)).toThrow(sentence);
    expect(() => kafkaAccess(env)).not.toThrow(password);
  });
});

test('without settings Kafka is reached as before: unencrypted and without a password', () => {
  expect(kafkaAccess({})).toEqual({ tls: undefined, sasl: undefined });
});
