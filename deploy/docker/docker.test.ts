/** There is no engine where tests run: the Dockerfile and compose.yaml are read, and held to what a hardened container needs. */
import { spawn, spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, test } from '@jest/globals';
import { appNames, topics } from '@store/contract';
import { roleName } from '@store/db';
import { keysVariable, pairsOf } from '@store/service';
import { logNothing as log } from '@store/testbed/log';
import { temporaryFolder } from '@store/testbed/temporary-folder';
import { parse } from 'yaml';
import { openRedisKeyGate } from '../../apps/gateway/src/key-gate/redis.ts';
import { settingsOfApps } from '../../tools/dev/settings-doc.ts';
import { repository } from '../../tools/local/data-dir.ts';
import { freePort } from '../../tools/local/free-port.ts';

interface Service {
  image: string;
  build?: { context: string; dockerfile: string; args: { APP: string; NODE_DIGEST: string } };
  command?: string[];
  environment: Record<string, string>;
  networks: string[];
  ports?: string[];
  depends_on?: Record<string, { condition: string }>;
  healthcheck?: { disable?: boolean; test?: string[] };
  [field: string]: unknown;
}

const root = temporaryFolder();
const read = (file: string) => readFileSync(path.join(repository, file), 'utf8');
const compose = parse(read('deploy/compose.yaml'), { merge: true }) as {
  services: Record<string, Service>;
  networks: Record<string, { internal?: boolean }>;
};
const services = Object.entries(compose.services);
const ours = services.filter(([, service]) => service.build);
const theirs = services.filter(([, service]) => !service.build);

/** Instructions, continued lines joined, comments left out. */
const instructions = read('deploy/docker/Dockerfile')
  .replace(/^#.*\n/gm, '')
  .replace(/\\\n/g, ' ')
  .split('\n')
  .filter((line) => line.trim() !== '');
const lastStage = instructions.slice(instructions.findLastIndex((line) => line.startsWith('FROM')));

describe('compose.yaml', () => {
  test('runs every app that is a process of its own, each from its own image', () => {
    for (const app of appNames)
      expect(compose.services[app]).toMatchObject({ image: `store-${app}:\${STORE_VERSION:?}`, build: { args: { APP: app } } });
    expect(services.map(([name]) => name)).toEqual(expect.arrayContaining(['postgres', 'redis', 'kafka', 'topics', 'roles']));
  });

  test.each(ours)('%s runs without root and privileges, on a read-only file system, within limits', (_name, service) => {
    expect(service).toMatchObject({
      user: '1000:1000',
      read_only: true,
      tmpfs: ['/tmp'],
      cap_drop: ['ALL'],
      security_opt: ['no-new-privileges:true'],
      init: true,
    });
    for (const limit of ['mem_limit', 'cpus', 'pids_limit']) expect(service[limit]).toBeDefined();
    // Two passwords at a time, each hashed in 128 MiB, beside a heap of half the limit.
    if (service === compose.services.gateway) expect(service.mem_limit).toBe('1g');
    expect(service.privileged ?? service.network_mode ?? service.volumes).toBeUndefined();
  });

  test.each(ours)('%s has longer to stop than it takes at most', (_name, service) => {
    const stopMaxMs = Number(/stopMaxMs = (\d+)_000/.exec(read('libs/service/src/run-process.ts'))![1]) * 1000;
    expect(Number.parseInt(String(service.stop_grace_period), 10) * 1000).toBeGreaterThan(stopMaxMs + 15_000);
  });

  test.each(theirs)('%s says when it is healthy, and comes back by itself', (_name, service) => {
    expect(service.healthcheck?.test?.[0]).toBe('CMD');
    expect(service).toMatchObject({ restart: 'unless-stopped', security_opt: ['no-new-privileges:true'], mem_limit: expect.anything() });
  });

  test('no log fills the disk, no heap its container; Redis refuses before it is killed', () => {
    for (const [name, { logging }] of services)
      expect([name, logging]).toMatchObject([name, { options: { 'max-size': '20m', 'max-file': '5' } }]);
    expect([compose.services.kafka!.mem_limit, compose.services.kafka!.environment.KAFKA_HEAP_OPTS]).toEqual(['1g', '-Xms512m -Xmx512m']);
    expect([compose.services.redis!.mem_limit, compose.services.redis!.command!.slice(1, 5)]).toEqual([
      '256m',
      ['--maxmemory', '200mb', '--maxmemory-policy', 'noeviction'],
    ]);
  });

  test('compose.tls.yaml adds the proxy that the gateway trusts, on public ports', () => {
    const tls = parse(read('deploy/compose.tls.yaml')) as typeof compose;
    const { proxy, gateway, webhooks } = tls.services;
    const publicUrl = expect.stringMatching(/^https:\/\/\$\{PUBLIC_HOST:\?\}$/);
    expect([gateway!.environment, webhooks!.environment]).toEqual([
      { PUBLIC_URL: publicUrl, TRUSTED_PROXIES: '1' },
      { PUBLIC_URL: publicUrl },
    ]);
    expect(proxy).toMatchObject({
      read_only: true,
      cap_drop: ['ALL'],
      networks: ['inside', 'outside'],
      ports: ['80:80', '443:443', '443:443/udp'],
    });
    expect(read('deploy/docker/Caddyfile')).toContain('header_up X-Forwarded-For {remote_host}');
  });

  const hasCaddy = spawnSync('caddy', ['version']).status === 0;
  (hasCaddy ? test : test.skip)(`Caddy accepts its configuration${hasCaddy ? '' : ' (skipped: no caddy)'}`, () => {
    const args = ['validate', '--adapter', 'caddyfile', '--config', 'deploy/docker/Caddyfile'];
    const { status, stdout, stderr } = spawnSync('caddy', args, {
      cwd: repository,
      encoding: 'utf8',
      env: { ...process.env, PUBLIC_HOST: 'api.example.com' },
    });
    expect([status, stdout + stderr]).toEqual([0, expect.stringContaining('Valid configuration')]);
  });

  test('only the gateway is reachable, locally; only it and webhooks reach the world', () => {
    expect(services.filter(([, { ports }]) => ports).map(([name]) => name)).toEqual(['gateway']);
    // A client that connects directly could forge the address that TRUSTED_PROXIES trusts.
    for (const port of compose.services.gateway!.ports!) expect(port).toMatch(/^127\.0\.0\.1:/);
    expect(compose.networks.inside).toEqual({ internal: true });
    const outside = services.filter(([, { networks }]) => networks.includes('outside')).map(([name]) => name);
    expect(outside.sort()).toEqual(['gateway', 'webhooks']);
  });

  test('the topics are created before a service starts, with explicit partitions', () => {
    expect(compose.services.topics!.command).toEqual(['node', 'apps/catalog/src/run.ts', 'topics', '--partitions', '6', '--replicas', '1']);
    expect(compose.services.kafka!.environment.KAFKA_AUTO_CREATE_TOPICS_ENABLE).toBe('false');
    for (const app of appNames)
      expect(compose.services[app]!.depends_on).toMatchObject({ topics: { condition: 'service_completed_successfully' } });
  });

  test('every image of others is named by a digest, which has no default', () => {
    for (const [, { image }] of theirs) expect(image).toMatch(/^\$\{\w+_IMAGE:-[^}]+\}@\$\{\w+_DIGEST:\?\}$/);
    for (const [, { build }] of ours) expect(build!.args.NODE_DIGEST).toMatch(/^\$\{NODE_DIGEST:\?\}$/);
  });

  test("each service logs in as its own role; only the roles' Job has all passwords", () => {
    const { environment } = compose.services.roles!;
    for (const app of appNames) {
      const password = `\${${app.toUpperCase()}_DATABASE_PASSWORD:?}`;
      const { environment: own, depends_on } = compose.services[app]!;
      expect(own.DATABASE_URL).toBe(`postgres://${roleName('store', app)}:${password}@postgres:5432/store`);
      expect(environment[`${app.toUpperCase()}_DATABASE_PASSWORD`]).toBe(password);
      expect(depends_on).toMatchObject({ roles: { condition: 'service_completed_successfully' } });
    }
    const holders = services.filter(([, service]) => JSON.stringify(service.environment ?? {}).includes('${POSTGRES_PASSWORD'));
    expect(holders.map(([name]) => name).sort()).toEqual(['postgres', 'roles']);
    expect(Object.keys(environment).filter((name) => name.endsWith('_DATABASE_PASSWORD'))).toHaveLength(appNames.length);
  });

  const hasRedis = spawnSync('redis-server', ['--version']).status === 0;
  (hasRedis ? test : test.skip)('Redis admits the gateway by its password, refuses others, and is healthy', async () => {
    const filled = (text: string) => text.replaceAll(`\${REDIS_PASSWORD:?}`, 's3cret');
    const { command, environment, healthcheck } = compose.services.redis!;
    const port = await freePort(0);
    const [program, ...flags] = command!.map(filled);
    const server = spawn(program!, ['--port', String(port), '--bind', '127.0.0.1', ...flags], { stdio: ['ignore', 'pipe', 'inherit'] });
    try {
      for await (const text of server.stdout) if (String(text).includes('Ready to accept connections')) break;
      const ask = (args: string[], env: NodeJS.ProcessEnv) =>
        spawnSync('redis-cli', ['-p', String(port), ...args], { encoding: 'utf8', env: { PATH: process.env.PATH, ...env } });
      const [, , ...check] = healthcheck!.test!;
      expect(ask(check, { REDISCLI_AUTH: filled(environment.REDISCLI_AUTH!) }).status).toBe(0);
      expect(ask(check, {}).status).not.toBe(0);
      expect(ask(['-e', 'ping'], {}).status).not.toBe(0);
      const url = filled(compose.services.gateway!.environment.REDIS_URL!).replace('redis:6379', `127.0.0.1:${port}`);
      const clock = { now: () => new Date() };
      const keyGate = await openRedisKeyGate({ url, log, clock, pepper: Buffer.alloc(32), timeoutMs: 5_000 });
      expect(await keyGate.admit('0'.repeat(64))).toMatchObject({ revoked: false, record: undefined });
      await keyGate.stop();
    } finally {
      server.kill('SIGKILL');
    }
  });

  test('PostgreSQL takes the connections of every pool at once, with five gateways', () => {
    const max = Number(/max_connections=(\d+)/.exec((compose.services.postgres!.command ?? []).join(' '))?.[1]);
    const pool = Number(settingsOfApps.gateway!.DATABASE_POOL_MAX!.default);
    // Beside its pool a service opens one for /metrics and one for notifications; the relay one for each schema, and two for the audit trail.
    const gateways = 5;
    expect(compose.services.gateway!.ports).toEqual([`127.0.0.1:3000-${3000 + gateways - 1}:3000`]);
    // A gateway has two more for reports to staff.
    expect(max).toBeGreaterThanOrEqual((appNames.length - 1) * (pool + 2) + gateways * (pool + 4) + appNames.length + 2);
  });

  test('no secret has a default', () => {
    const text = read('deploy/compose.yaml');
    const secrets = [...text.matchAll(/\$\{(\w*(?:PASSWORD|PEPPERS|_KEYS)\w*)([^}]*)\}/g)];
    expect(secrets.length).toBeGreaterThan(20);
    // The one ring of earlier releases is absent but for an upgrade.
    for (const [, name, rest] of secrets) expect([name, rest]).toEqual([name, name === 'SERVICE_KEYS' ? ':-' : ':?']);
  });

  test('an app is given the keys of the calls that it makes and answers, and no other', () => {
    for (const app of appNames) {
      const given = Object.keys(compose.services[app]!.environment).filter((name) => /_TO_\w+_KEYS$/.test(name));
      expect(given.sort()).toEqual(pairsOf(app).map(keysVariable).sort());
    }
    expect(JSON.stringify(compose.services.relay!.environment)).not.toContain('_TO_');
  });

  test.each(appNames)('%s is given every setting that has no default, and none that it does not read', (app) => {
    const given = Object.keys(compose.services[app]!.environment);
    const declared = settingsOfApps[app]!;
    const required = Object.keys(declared).filter((name) => declared[name]!.default === undefined);
    expect(given).toEqual(expect.arrayContaining([...required, 'KAFKA_BROKERS']));
    expect(given.filter((name) => !(name in declared))).toEqual([]);
  });
});

describe('the image', () => {
  test('ends as a numbered user, not root, with a health check, and node gets the signal', () => {
    expect(lastStage).toContain('USER 1000:1000');
    expect(lastStage.find((line) => line.startsWith('HEALTHCHECK'))).toMatch(/CMD \["node", "-e", ".*HEALTH_PORT.*\/healthz/);
    expect(lastStage).toContain('CMD ["sh", "-c", "exec node apps/$APP/src/run.ts"]');
    expect(lastStage.find((line) => line.startsWith('ENV'))).toMatch(/NODE_ENV=production.*HEALTH_PORT=\d+/);
  });

  test('installs without development packages and without running scripts of packages', () => {
    const install = instructions.find((line) => line.includes('npm ci'))!;
    expect(install).toContain('--omit=dev');
    expect(install).toContain('--ignore-scripts');
    // A dependency of the root, so that it is there without development packages.
    expect(install).toMatch(
      /--include-workspace-root .*node node_modules\/patch-package\/index.js --error-on-fail .*prune-packages\.ts \$\{APP\}/,
    );
    expect(instructions).toContain('COPY patches patches');
    expect(read('deploy/docker/Dockerfile')).not.toContain('npm install');
  });

  test('has no package that only another workspace needs; removing runs on copied files', () => {
    const copies = instructions
      .map((line) => line.split(' '))
      .filter((words) => words[0] === 'COPY' && words.at(-1)!.startsWith('/prune/'));
    for (const words of copies)
      for (const file of words.slice(1, -1)) {
        expect(read('deploy/docker/Dockerfile.dockerignore').split('\n')).toContain(`!${file}`);
        cpSync(path.join(repository, file), path.join(root, words.at(-1)!, path.basename(file)));
      }
    const packages = {
      'apps/a': { devDependencies: { ajv: '1' }, dependencies: { used: '1' } },
      'libs/other': { dependencies: { ajv: '1' } },
      'node_modules/@store/a': { link: true, resolved: 'apps/a' },
      'node_modules/ajv': {},
      'node_modules/used': { dependencies: { ajv: '2' } },
      'node_modules/used/node_modules/ajv': {},
    };
    for (const place of Object.keys(packages)) mkdirSync(path.join(root, place), { recursive: true });
    for (const file of ['package-lock.json', 'node_modules/.package-lock.json'])
      writeFileSync(path.join(root, file), JSON.stringify({ packages }));
    const script = path.join(root, 'prune/deploy/docker/prune-packages.ts');
    const { stdout, stderr } = spawnSync(process.execPath, [script, 'a'], { cwd: root, encoding: 'utf8' });
    expect({ stdout, stderr }).toEqual({ stdout: 'node_modules/ajv\n', stderr: '' });
    const left = ['node_modules/ajv', 'node_modules/used/node_modules/ajv', 'node_modules/@store/a'];
    expect(left.map((place) => existsSync(path.join(root, place)))).toEqual([false, true, true]);
  });

  test("keeps the workspace's layout: sources go where npm links lead, not node_modules", () => {
    const copies = lastStage.filter((line) => line.startsWith('COPY')).map((line) => line.split(' ').slice(1));
    for (const [from, to] of copies.filter(([first]) => !first!.startsWith('--'))) expect(to).toBe(from);
    expect(copies.map(([first]) => first)).toEqual(expect.arrayContaining(['protos', 'libs', expect.stringMatching(/^apps\/\$.APP.$/)]));
    const node = (JSON.parse(read('package.json')) as { devDependencies: Record<string, string> }).devDependencies.node;
    expect(instructions[0]).toBe(`ARG NODE_IMAGE=node:${node}-bookworm-slim`);
  });

  test('is built on a digest, never on a tag; without a digest there is no base', () => {
    const bases = instructions.filter((line) => line.startsWith('FROM')).map((line) => line.split(' ')[1]);
    expect(bases.length).toBeGreaterThan(0);
    for (const base of bases) expect(base).toMatch(/^\$\{NODE_IMAGE\}@\$\{NODE_DIGEST\}$/);
    expect(instructions).toContain('ARG NODE_DIGEST');
  });

  test('everything that is copied is let through to the build', () => {
    const letThrough = read('deploy/docker/Dockerfile.dockerignore')
      .split('\n')
      .filter((line) => line.startsWith('!'))
      .map((line) => line.slice(1));
    for (const file of letThrough) expect(existsSync(path.join(repository, file))).toBe(true);
    expect(letThrough).toEqual(expect.arrayContaining(['package.json', 'package-lock.json', 'apps', 'libs', 'protos']));
  });
});

describe('npm run topics', () => {
  const run = (...args: string[]) =>
    spawnSync(process.execPath, ['apps/catalog/src/run.ts', 'topics', ...args], {
      cwd: repository,
      encoding: 'utf8',
      env: { PATH: process.env.PATH },
    });

  test('--help names every topic', () => {
    const { status, stdout } = run('--help');
    expect(status).toBe(0);
    for (const topic of topics) expect(stdout).toContain(topic);
  });

  test.each([
    [['--partitions', '0', '--brokers', 'x:1'], '--partitions must be a whole number from 1 to 1000.'],
    [['--replicas', 'many', '--brokers', 'x:1'], '--replicas must be a whole number from 1 to 1000.'],
    [[], 'Name Kafka by --brokers or KAFKA_BROKERS: host:port, comma-separated.'],
  ])('%j is refused in one sentence', (args, sentence) => {
    expect(run(...args)).toMatchObject({ status: 1, stderr: `${sentence}\n` });
  });

  test('a command that an app does not have is refused in one sentence naming its own', () => {
    const { status, stderr } = spawnSync(process.execPath, ['apps/catalog/src/run.ts', 'store'], { cwd: repository, encoding: 'utf8' });
    expect([status, stderr]).toEqual([
      1,
      'catalog has no command store; it has distribute, migrate, redrive, relay, republish, roles, topics.\n',
    ]);
  });
});
