/** The servers that a test run needs; tests receive their addresses as environment variables. */
import { existsSync, readFileSync, rmSync } from 'node:fs';
import { createTopics } from '@store/events';
import { logErrors } from '@store/testbed/log';
import { openClient } from '@store/testbed/with-client';
import { schemathesisPython } from '../../tests/fuzz/python.ts';
import { InUse } from '../local/cannot-start.ts';
import { repository } from '../local/data-dir.ts';
import { startKafka, sweptKafkaDir } from '../local/kafka.ts';
import { keepKafkaClasses } from '../local/kafka-classes.ts';
import { type RunningServer, startPostgres } from '../local/postgres.ts';
import { startRedis } from '../local/redis.ts';

/** Runs at the same time in one checkout each need a data directory of their own. */
const dataDirsMax = 20;

/** Starts the servers that the environment does not name; returns a function that stops them. */
export async function startTestServers(log: (line: string) => void): Promise<() => Promise<void>> {
  const running: RunningServer[] = [];
  if (!process.env.TEST_DATABASE_URL) {
    const postgres = await startOnFreeDataDir(log);
    running.push(postgres);
    await dropLeftovers(postgres.url);
    process.env.TEST_DATABASE_URL = postgres.url;
  }
  if (!process.env.TEST_REDIS_URL && !process.env.TEST_REDIS_SKIPPED) {
    const redis = await startRedis(log);
    if ('skipped' in redis) process.env.TEST_REDIS_SKIPPED = redis.skipped;
    else {
      running.push(redis);
      process.env.TEST_REDIS_URL = redis.url;
    }
  }
  if (needs('kafka') && !process.env.TEST_KAFKA_BROKERS && !process.env.TEST_KAFKA_SKIPPED) {
    await keepKafkaClasses(log);
    const dir = sweptKafkaDir(`${repository}/.cache`);
    const kafka = await startKafka(dir, log, { port: kafkaPort });
    if ('skipped' in kafka) process.env.TEST_KAFKA_SKIPPED = kafka.skipped;
    else {
      const stop = async () => {
        await kafka.stop();
        rmSync(dir, { recursive: true, force: true });
      };
      running.push({ ...kafka, stop });
      await createTopics({ brokers: [kafka.url], partitions: 6, replicas: 1, log: logErrors });
      process.env.TEST_KAFKA_BROKERS = kafka.url;
    }
  }
  if (needs('python') && !process.env.TEST_PYTHON_SKIPPED) {
    const found = schemathesisPython(log);
    if ('skipped' in found) process.env.TEST_PYTHON_SKIPPED = found.skipped;
  }
  return async () => {
    for (const server of running.splice(0).reverse()) await server.stop();
  };
}

const kafkaPort = 19_092;

/** Whether the one project of this run has the tag `kafka` or `python` in its project.json; `npm test` runs all, and needs both. */
function needs(tag: 'kafka' | 'python'): boolean {
  const project = process.env.STORE_TEST_PROJECT ?? process.env.NX_TASK_TARGET_PROJECT;
  if (!project) return true;
  const files = ['apps', 'libs', 'tests', 'tools', 'deploy'].map((group) => `${repository}/${group}/${project}/project.json`);
  const { tags = [] } = JSON.parse(readFileSync(files.find((file) => existsSync(file))!, 'utf8')) as { tags?: string[] };
  return tags.includes(tag);
}

async function startOnFreeDataDir(log: (line: string) => void): Promise<RunningServer> {
  for (let number = 1; ; number++) {
    try {
      return await startPostgres({ dataDir: `${repository}/.cache/postgres-${number}`, port: 54_320 + number, durable: false, log });
    } catch (error) {
      if (!(error instanceof InUse) || number === dataDirsMax) throw error;
    }
  }
}

/** Above this number the templates are of migrations that have since changed. */
const templatesMax = 30;

/** Databases of runs that were killed before they could drop them; nothing else uses this server yet. */
async function dropLeftovers(url: string): Promise<void> {
  const client = await openClient(url);
  const { rows } = await client.query<{ name: string }>(`select datname as name from pg_database where datname ~ '^(case|template)_'`);
  const cases = rows.filter((row) => row.name.startsWith('case_'));
  const templates = rows.filter((row) => row.name.startsWith('template_'));
  for (const { name } of [...cases, ...(templates.length > templatesMax ? templates : [])]) {
    await client.query(`drop database if exists ${client.escapeIdentifier(name)} with (force)`);
  }
  const roles = await client.query<{ name: string }>(`select rolname as name from pg_roles where rolname ~ '^case_'`);
  for (const { name } of roles.rows) await client.query(`drop role if exists ${client.escapeIdentifier(name)}`);
  await client.end();
}
