/** 401 and 429 in the log, a line per key or address, status and minute: who is refused cannot fill a disk (D259). */
import type { Clock } from '@store/db';
import type { Log } from '@store/service';
import { addressBlock } from '../address-block.ts';

const minuteMs = 60_000;
/** Lines per minute; those of further keys and addresses are one line. */
const linesMax = 1_000;

export interface Refused {
  status: number;
  ip: string;
  /** The key, where it is known; otherwise the address is counted. */
  keyId?: number;
}

export class RefusalLog {
  readonly #clock: Clock;
  readonly #log: Pick<Log, 'info'>;
  #minute = 0;
  #counts = new Map<string, { by: object; requests: number }>();

  constructor(clock: Clock, log: Pick<Log, 'info'>) {
    this.#clock = clock;
    this.#log = log;
  }

  count({ status, ip, keyId }: Refused): void {
    this.flush();
    const by = keyId === undefined ? { status, address: addressBlock(ip) } : { status, key_id: keyId };
    const line = JSON.stringify(by);
    const isNew = !this.#counts.has(line);
    const [name, fields] = isNew && this.#counts.size >= linesMax ? [`${status}`, { status, address: 'others' }] : [line, by];
    const counted = this.#counts.get(name) ?? { by: fields, requests: 0 };
    counted.requests += 1;
    this.#counts.set(name, counted);
  }

  flush(): void {
    const now = this.#clock.now().getTime();
    const minute = now - (now % minuteMs);
    if (minute === this.#minute) return;
    this.end();
    this.#minute = minute;
  }

  end(): void {
    const minute = new Date(this.#minute).toISOString();
    for (const { by, requests } of this.#counts.values()) this.#log.info({ ...by, requests, minute }, 'requests refused');
    this.#counts = new Map();
  }
}
