/** One process per app on PostgreSQL, Redis and Kafka: the layout of production on one machine. */
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync, mkdirSync, openSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { appNames, apps, doorsOf, serviceNames } from '@store/contract';
import { addressVariable, listenVariable } from '@store/service';
import { accepts } from './accepts.ts';
import { CannotStart } from './cannot-start.ts';
import { repository } from './data-dir.ts';
import { freePort } from './free-port.ts';
import { lastWords } from './last-words.ts';
import { schemaUrls } from './schema-urls.ts';

export interface FleetOptions {
  /** DATABASE_URL (of a user who may create each service's role), REDIS_URL, KAFKA_BROKERS, secrets, and any other setting. */
  env: NodeJS.ProcessEnv;
  /** The folder of the processes' logs. */
  logDir: string;
  /** Gateways side by side; the first one takes GATEWAY_PORT. */
  gateways?: number;
  /** Additional processes of an app, such as { webhooks: 1 }: they receive no calls, but consume and deliver. */
  besides?: Record<string, number>;
  /**
   * Processes that publish the events of all services (1); 0: each service publishes its own.
   */
  relays?: number;
  /** Relays let everything else on this machine run first; not for tests, which share it with other tests. */
  relaysYield?: boolean;
  /** Restarts a process that ended by itself. */
  restart?: boolean;
  /** First port to try for the services. */
  firstPort?: number;
  /** First port to try for the /healthz, /readyz and /metrics of each process; absent: none answers them. */
  healthPort?: number;
  /** File and arguments that start an app; its own run.ts when absent. */
  entry?: (app: string) => string[];
  /** Receives unusual events, a line each. */
  log?: (line: string) => void;
}

export interface Fleet {
  /** Base URLs of the gateways. */
  gateways: string[];
  members: Member[];
  /** The member of that name, such as catalog or gateway-2. */
  member(name: string): Member;
  stop(): Promise<void>;
}

const startMaxMs = 60_000;
const pollMs = 30;
const restartAfterMs = 500;
const firstPortDefault = apps.catalog.port;

export async function startFleet(options: FleetOptions): Promise<Fleet> {
  mkdirSync(options.logDir, { recursive: true });
  const addresses: Record<string, string> = {};
  const members: Member[] = [];
  let port = options.firstPort ?? firstPortDefault;
  for (const { door } of serviceNames.flatMap(doorsOf)) {
    port = await freePort(port);
    addresses[addressVariable(door)] = `127.0.0.1:${port++}`;
  }
  /** The environment of every process. */
  const shared = { ...addresses, SERVICE_KEYS: options.env.SERVICE_KEYS || process.env.SERVICE_KEYS || newServiceKeys() };
  const urls = await schemaUrls(databaseUrl(options), appNames, options.log ?? (() => undefined));
  const { relays = 1 } = options;
  const told = (app: string) => ({ ...shared, RELAY: relays > 0 ? 'elsewhere' : 'own', DATABASE_URL: urls[app]! });
  // Any order works; the registry's has the fewest retries.
  for (const app of serviceNames) {
    const own = doorsOf(app).map(({ door }) => [listenVariable(door), addresses[addressVariable(door)]]);
    members.push(new Member(app, app, { ...told(app), ...Object.fromEntries(own) }, options));
    const anyPort = Object.fromEntries(own.map(([listen]) => [listen, '127.0.0.1:0']));
    for (let number = 2; number <= 1 + (options.besides?.[app] ?? 0); number++)
      members.push(new Member(`${app}-${number}`, app, { ...told(app), ...anyPort }, options));
  }
  const gateways: string[] = [];
  let gatewayPort = Number(options.env.GATEWAY_PORT ?? 3_000);
  for (let number = 1; number <= (options.gateways ?? 1); number++) {
    gatewayPort = await freePort(gatewayPort);
    gateways.push(`http://127.0.0.1:${gatewayPort}`);
    members.push(
      new Member(
        number === 1 ? 'gateway' : `gateway-${number}`,
        'gateway',
        { ...told('gateway'), GATEWAY_PORT: String(gatewayPort++) },
        options,
      ),
    );
  }
  const relayEnv = Object.fromEntries(appNames.map((app) => [`${app.toUpperCase()}_DATABASE_URL`, urls[app]]));
  for (let number = 1; number <= relays; number++)
    members.push(new Member(number === 1 ? 'relay' : `relay-${number}`, 'relay', { ...shared, ...relayEnv }, options));
  const fleet: Fleet = {
    gateways,
    members,
    member: (name) => {
      const found = members.find((member) => member.name === name);
      if (!found) throw new Error(`no process is called ${name}`);
      return found;
    },
    stop: async () => {
      for (const member of [...members].reverse()) await member.stop();
    },
  };
  let healthPort = options.healthPort;
  try {
    for (const member of members) {
      if (healthPort) {
        member.healthPort = await freePort(healthPort);
        healthPort = member.healthPort + 1;
      }
      member.start();
    }
    for (const address of Object.values(addresses)) await until(() => accepts(address), members);
    for (const url of gateways) await until(() => answers(`${url}/readyz`), members);
    return fleet;
  } catch (error) {
    await fleet.stop();
    throw error;
  }
}

function databaseUrl({ env }: FleetOptions): string {
  const url = env.DATABASE_URL || process.env.DATABASE_URL;
  if (!url) throw new Error('a fleet needs DATABASE_URL');
  return url;
}

/** Keys and certificates that only its own processes trust, for as long as it runs. */
const newServiceKeys = (): string => `1:${randomBytes(32).toString('base64')}`;

/** One process of the fleet. */
export class Member {
  readonly name: string;
  readonly #app: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #options: FleetOptions;
  /** Port of its /healthz, /readyz and /metrics; 0: none. Whatever HEALTH_PORT says to all, no two processes share one. */
  healthPort = 0;
  #child: ChildProcess | undefined;
  #wanted = false;
  #logStart = 0;

  constructor(name: string, app: string, env: NodeJS.ProcessEnv, options: FleetOptions) {
    this.name = name;
    this.#app = app;
    // No load balancer is in front of it, so it need not wait before it closes.
    this.#env = { GATEWAY_NOT_READY_MS: '0', ...process.env, ...options.env, ...env };
    this.#options = options;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get logFile(): string {
    return path.join(this.#options.logDir, `${this.name}.log`);
  }

  /** What its log says since its start. */
  get lastWords(): string {
    return lastWords(this.logFile, this.#logStart);
  }

  get running(): boolean {
    return this.#child !== undefined && this.#child.exitCode === null && this.#child.signalCode === null;
  }

  start(): void {
    this.#wanted = true;
    this.#logStart = existsSync(this.logFile) ? statSync(this.logFile).size : 0;
    const output = openSync(this.logFile, 'a');
    const entry = this.#entry();
    // A separate process group: Ctrl-C reaches the parent, which stops the processes in order.
    const child = spawn(process.execPath, entry, {
      env: { ...this.#env, HEALTH_PORT: String(this.healthPort), STORE_PARENT_PID: String(process.pid) },
      stdio: ['ignore', output, output],
      detached: true,
    });
    this.#child = child;
    if (this.#app === 'relay' && this.#options.relaysYield && child.pid !== undefined) yieldProcessor(child.pid);
    child.once('exit', (code, signal) => {
      if (!this.#wanted || !this.#options.restart || this.#child !== child) return;
      const how = signal ? `by ${signal}` : `with code ${code}`;
      this.#options.log?.(`${this.name} ended ${how} and is started again.${said(this, signal === null)}`);
      setTimeout(() => this.#wanted && this.#child === child && this.start(), restartAfterMs);
    });
  }

  #entry(): string[] {
    const file = (app: string) => path.join(repository, 'apps', app, 'src/run.ts');
    // Any app has the command; a test's own entries start apps.
    if (this.#app === 'relay') return [file('gateway'), 'relay', '--all'];
    return this.#options.entry?.(this.#app) ?? [file(this.#app)];
  }

  /** Sends a signal to this process alone. */
  signal(signal: NodeJS.Signals): void {
    this.#child?.kill(signal);
  }

  /** Its exit code, after it has ended by itself or on SIGTERM. */
  get exitCode(): number | null {
    return this.#child?.exitCode ?? null;
  }

  /** Kills it without a clean shutdown; `start` restarts it. */
  async kill(): Promise<void> {
    this.#wanted = false;
    await this.#end('SIGKILL');
  }

  async stop(): Promise<void> {
    this.#wanted = false;
    await this.#end('SIGTERM');
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const child = this.#child;
    if (!child || !this.running) return;
    const ended = new Promise((resolve) => child.once('exit', resolve));
    child.kill(signal);
    await ended;
  }
}

/** The cause, as far as its log names it, and where the log is; one that was killed did not write why. */
function said({ lastWords: words, logFile }: Member, endedByItself = true): string {
  return `${words === '' || !endedByItself ? '' : ` It says: ${words}`}\n  Its log: ${logFile}`;
}

/** Of 19 (least) and 0 (usual): about a ninth of the processor where everything wants it. */
const lowPriority = 10;
/** Not permitted, or ended already. */
const harmless = ['EACCES', 'EPERM', 'EAGAIN', 'ENOENT', 'ESRCH'];

/**
 * Lets others run first. Linux compares sessions before processes where it groups by session, and a process of a fleet
 * has its own: the session's priority is set too. A machine that does not permit it runs as it would.
 */
function yieldProcessor(pid: number): void {
  const steps = [() => os.setPriority(pid, lowPriority), () => writeFileSync(`/proc/${pid}/autogroup`, String(lowPriority))];
  for (const step of steps) {
    try {
      step();
    } catch (error) {
      if (!harmless.includes((error as NodeJS.ErrnoException).code ?? '')) throw error;
    }
  }
}

async function until(ready: () => Promise<boolean>, members: Member[]): Promise<void> {
  const giveUpAt = Date.now() + startMaxMs;
  while (!(await ready())) {
    const ended = members.find((member) => !member.running);
    if (ended) throw new CannotStart(`${ended.name} did not start.${said(ended)}`);
    if (Date.now() > giveUpAt)
      throw new CannotStart(
        `The services did not answer within ${startMaxMs / 1_000} s; their logs say why: ${path.dirname(members[0]!.logFile)}`,
      );
    await wait(pollMs);
  }
}

async function answers(url: string): Promise<boolean> {
  try {
    return (await fetch(url, { signal: AbortSignal.timeout(1_000) })).ok;
  } catch (error) {
    // By name: the errors of a test's fetch come from another realm, so instanceof fails.
    if (['TypeError', 'TimeoutError'].includes((error as Error).name)) return false;
    throw error;
  }
}
