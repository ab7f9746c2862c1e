/** Processor time by name while processes come and go, read once a second. */
import { cpuMs } from '../kit/usage.ts';

const everyMs = 1_000;

export class CpuByName {
  readonly #processes: () => [name: string, pid: number][];
  readonly #ms = new Map<string, number>();
  readonly #before = new Map<number, number>();
  readonly #ownStart = process.cpuUsage();
  readonly #timer: NodeJS.Timeout;

  /** The processes of the moment; several may share a name. */
  constructor(processes: () => [name: string, pid: number][]) {
    this.#processes = processes;
    this.#read();
    this.#ms.clear();
    this.#timer = setInterval(() => this.#read(), everyMs);
  }

  /** Milliseconds since the start, with `own` for this process. */
  stop(own: string): Record<string, number> {
    clearInterval(this.#timer);
    this.#read();
    const { user, system } = process.cpuUsage(this.#ownStart);
    return { [own]: (user + system) / 1_000, ...Object.fromEntries(this.#ms) };
  }

  #read(): void {
    const processes = this.#processes();
    const now = cpuMs(Object.fromEntries(processes.map(([, pid]) => [pid, pid])));
    for (const [name, pid] of processes) {
      const ms = now[pid]!;
      // What has ended since it was listed reads as nothing.
      this.#ms.set(name, (this.#ms.get(name) ?? 0) + Math.max(0, ms - (this.#before.get(pid) ?? 0)));
      this.#before.set(pid, ms);
    }
  }
}
