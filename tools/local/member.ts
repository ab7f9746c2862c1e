/** One process of a fleet: started, watched, restarted and stopped. */
import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, openSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { compiledDir, runFile } from './data-dir.ts';
import { lastError } from './last-error.ts';

const restartAfterMs = 500;

export interface MemberOptions {
  /** DATABASE_URL (of a user who may create each service's role), REDIS_URL, KAFKA_BROKERS, secrets, and any other setting. */
  env: NodeJS.ProcessEnv;
  /** The folder of the processes' logs. */
  logDir: string;
  /** Relays let everything else on this machine run first; not for tests, which share it with other tests. */
  relaysYield?: boolean;
  /** Restarts a process that ended by itself. */
  restart?: boolean;
  /** File and arguments that start an app; its own run.ts when absent. */
  entry?: (app: string) => string[];
  /** The repository whose apps are started: that of another release; this one when absent. */
  folder?: string | undefined;
  /** Receives unusual events, a line each. */
  log?: (line: string) => void;
}

export type Version = Pick<MemberOptions, 'entry' | 'folder'>;

/** One process of the fleet. */
export class Member {
  readonly name: string;
  readonly #app: string;
  readonly #env: NodeJS.ProcessEnv;
  readonly #options: MemberOptions;
  /** Port of its /healthz, /readyz and /metrics; 0: none. No two processes share one, whatever HEALTH_PORT is. */
  healthPort = 0;
  #child: ChildProcess | undefined;
  #wanted = false;
  #logStart = 0;

  constructor(name: string, app: string, env: NodeJS.ProcessEnv, options: MemberOptions) {
    this.name = name;
    this.#app = app;
    // No load balancer is in front of it, so it need not wait before it closes.
    this.#env = { GATEWAY_NOT_READY_MS: '0', NODE_COMPILE_CACHE: compiledDir, ...process.env, ...options.env, ...env };
    this.#options = options;
  }

  /** Another process of the same app, which may take its place: with its settings but for these, and of another version where that is given. */
  successor(name: string, env: NodeJS.ProcessEnv, { entry = this.#options.entry, folder }: Version): Member {
    return new Member(name, this.#app, { ...this.#env, ...env }, { ...this.#options, folder, ...(entry && { entry }) });
  }

  /** What it is started with beside its health port. */
  get env(): NodeJS.ProcessEnv {
    return this.#env;
  }

  get pid(): number | undefined {
    return this.#child?.pid;
  }

  get logFile(): string {
    return path.join(this.#options.logDir, `${this.name}.log`);
  }

  /** What its log says since its start. */
  get lastError(): string {
    return lastError(this.logFile, this.#logStart);
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
    const file = (app: string) => runFile(app, this.#options.folder);
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
export function said({ lastError: words, logFile }: Member, endedByItself = true): string {
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
