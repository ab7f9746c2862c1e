/** The plan of faults that a seed gives (which process, which fault, when), and its execution on the run's own processes. */
import { setTimeout as wait } from 'node:timers/promises';
import { until } from '@store/testbed/until';
import type { Member } from '../../tools/local/member.ts';
import { isAlive } from '../../tools/local/postgres-leftover.ts';
import { type Random, seededRandom } from '../../tools/local/random.ts';
import type { OwnServer } from '../kit/own-servers.ts';
import type { TcpProxy } from '../kit/tcp-proxy.ts';

/** A fault of a process, of its wall clock, or of the network in front of a server. */
export type FaultKind = 'kill' | 'stop' | 'jump' | 'drop' | 'slow' | 'mute' | 'freeze';

export interface Fault {
  target: string;
  kind: FaultKind;
  /** Milliseconds since the previous fault. */
  afterMs: number;
  /** Until the process is restarted or resumed, or its clock or network is restored. */
  lastsMs: number;
}

/** A process, or a server with its children, that can be killed and restarted. */
export interface Target {
  name: string;
  /** The network in front of a server. */
  network?: TcpProxy;
  /** Sets its wall clock minutes ahead, or back. */
  jump?: () => void;
  kill(): Promise<void>;
  start(): Promise<void>;
  freeze(): void;
  thaw(): void;
}

export interface Pace {
  gapMinMs: number;
  gapMaxMs: number;
  stopMinMs: number;
  stopMaxMs: number;
}

export const fullPace: Pace = { gapMinMs: 2_000, gapMaxMs: 5_000, stopMinMs: 3_000, stopMaxMs: 8_000 };
/** For the run in `npm test`. */
export const quickPace: Pace = { gapMinMs: 500, gapMaxMs: 1_200, stopMinMs: 700, stopMaxMs: 2_000 };
const downMinMs = 200;
const downMaxMs = 2_000;

const slowMs = 500;
const processFaults: FaultKind[] = ['kill', 'stop'];
const clockFaults: FaultKind[] = ['jump'];
const networkFaults: FaultKind[] = ['drop', 'slow', 'mute', 'freeze'];

/** The same seed and targets give the same plan. Every target gets one fault before any gets a second. */
export function planFaults(
  seed: number,
  count: number,
  targets: Pick<Target, 'name' | 'network' | 'jump'>[],
  pace: Pace = fullPace,
): Fault[] {
  const random = seededRandom(seed);
  let round: typeof targets = [];
  return Array.from({ length: count }, () => {
    if (round.length === 0) round = shuffled(targets, random);
    const { name, network, jump } = round.pop()!;
    const kind = random.pick([...processFaults, ...(jump ? clockFaults : []), ...(network ? networkFaults : [])]);
    return {
      target: name,
      kind,
      afterMs: random.between(pace.gapMinMs, pace.gapMaxMs),
      lastsMs: kind === 'kill' ? random.between(downMinMs, downMaxMs) : random.between(pace.stopMinMs, pace.stopMaxMs),
    };
  });
}

function shuffled<T>(list: readonly T[], random: Random): T[] {
  return list
    .map((one) => ({ one, place: random.next() }))
    .sort((a, b) => a.place - b.place)
    .map(({ one }) => one);
}

/** Carries out the plan, with overlapping faults at once; resolves when everything is up again, aborted or not. */
export async function injectFaults(
  plan: Fault[],
  targets: Target[],
  { log, signal }: { log: (line: string) => void; signal?: AbortSignal },
): Promise<void> {
  const busy = new Map<string, Promise<void>>();
  const failures: unknown[] = [];
  try {
    for (const fault of plan) {
      await wait(fault.afterMs, undefined, { signal });
      const target = targets.find(({ name }) => name === fault.target)!;
      // A process has one fault at a time; the next one waits until the process is back.
      await busy.get(target.name);
      log(`${fault.kind} ${fault.target} for ${fault.lastsMs} ms`);
      busy.set(
        target.name,
        suffer(target, fault).catch((error: unknown) => void failures.push(error)),
      );
    }
  } finally {
    await Promise.all(busy.values());
  }
  if (failures.length > 0) throw failures[0];
}

async function suffer(target: Target, { kind, lastsMs }: Fault): Promise<void> {
  if (kind === 'kill') await target.kill();
  else if (kind === 'stop') target.freeze();
  else if (kind === 'jump') target.jump!();
  else if (kind === 'slow') target.network!.slow(slowMs);
  else target.network![kind]();
  await wait(lastsMs);
  if (kind === 'kill') await target.start();
  else if (kind === 'stop') target.thaw();
  else if (kind === 'jump') target.jump!();
  else target.network!.heal();
}

/** `clock`: it was started with a clock that signals control. */
export function memberTarget(member: Member, clock: boolean): Target {
  return {
    name: member.name,
    kill: () => member.kill(),
    start: async () => member.start(),
    freeze: () => member.signal('SIGSTOP'),
    thaw: () => member.signal('SIGCONT'),
    ...(clock && { jump: () => member.signal('SIGUSR2') }),
  };
}

const goneWithinMs = 10_000;

/** PostgreSQL is many processes: all of them are frozen, or killed at once. */
export function serverTarget(name: string, server: Omit<OwnServer, 'address' | 'close'>, network: TcpProxy): Target {
  const all = (signal: NodeJS.Signals) => {
    const pids = server.pids();
    for (const pid of pids) signalIfThere(pid, signal);
    return pids;
  };
  return {
    name,
    network,
    kill: async () => {
      // A frozen postmaster starts no further children.
      server.signal('SIGSTOP');
      const pids = all('SIGKILL');
      await server.crash();
      const left = () => pids.filter(isAlive);
      await until(
        () => left().length === 0,
        goneWithinMs,
        () => `${name} left processes behind: ${left().join(', ')}`,
      );
    },
    start: () => server.start(),
    freeze: () => {
      server.signal('SIGSTOP');
      all('SIGSTOP');
    },
    thaw: () => void all('SIGCONT'),
  };
}

function signalIfThere(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    // A backend may have ended since the listing.
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error;
  }
}
