/** Names and addresses of processes, as a cluster gives them: one name per app, and an address of its own for each process. */
import { mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { runFile } from '../../tools/local/data-dir.ts';
import type { Places } from '../../tools/local/fleet.ts';

const perNetwork = 250;

export class Pods implements Places {
  readonly #dir = mkdtempSync(path.join(os.tmpdir(), 'store-pods-'));
  readonly #ready: Record<string, string[]> = {};
  readonly #addresses: Record<string, string[]> = {};
  #given = 0;

  /** Every process reads it at each look-up. */
  get env(): Record<string, string> {
    return { POD_NAMES: path.join(this.#dir, 'names.json') };
  }

  nameOf(app: string): string {
    return `${app}.pods`;
  }

  /** Addresses of 127.0.0.0/8, all of which are this machine's on Linux. */
  next(app: string): string {
    this.#given += 1;
    const address = `127.0.${1 + Math.floor(this.#given / perNetwork)}.${1 + (this.#given % perNetwork)}`;
    const before = this.#addresses[app] ?? [];
    this.#addresses[app] = [...before, address];
    if (before.length === 0) this.publish(app, [address]);
    return address;
  }

  /** Every process of each app is found, whether it is up or not. */
  publishAll(): void {
    for (const [app, addresses] of Object.entries(this.#addresses)) this.publish(app, addresses);
  }

  publish(app: string, addresses: string[]): void {
    this.#ready[this.nameOf(app)] = addresses;
    const file = this.env.POD_NAMES!;
    writeFileSync(`${file}.new`, JSON.stringify(this.#ready));
    renameSync(`${file}.new`, file);
  }

  close(): void {
    rmSync(this.#dir, { recursive: true });
  }
}

const preloaded = fileURLToPath(import.meta.resolve('./pod-names.ts'));

/** What starts an app that finds others by these names; `file`: another version of the app, of this repository or of another. */
export const withPodNames = (app: string, { folder, file = runFile(app, folder) }: { folder?: string; file?: string } = {}): string[] => [
  '--import',
  preloaded,
  file,
];
