/** One JSON line per fact an operator needs; keys, secrets, passwords and tokens are never in it. */
import { closeSync, fchmodSync, fstatSync, mkdirSync, openSync } from 'node:fs';
import path from 'node:path';
import pino, { type DestinationStream, type Logger } from 'pino';

export type Log = Logger;

const secretNames = ['key', 'token', 'password', 'secret', 'cookie', 'authorization'];
/** At the top of a line, and one level below. */
const secretPaths = [...secretNames, ...secretNames.map((name) => `*.${name}`), 'headers["x-api-key"]'];

/** Longest time that a line waits for others. */
const gatherMs = 100;
const gatherBytes = 8 * 1024;
const ownerOnly = 0o600;
const warnLevel = pino.levels.values.warn!;

/** `file`: where lines go; standard output when absent. */
export function openLog(app: string, level: string, file?: string): Log {
  const options = { name: app, level, redact: { paths: secretPaths, censor: '[hidden]' }, base: { app } };
  const dest = file ?? process.stdout.fd ?? 1;
  if (file !== undefined) makeOwn(file);
  return pino(options, gathered(pino.destination({ dest, sync: false, minLength: gatherBytes })));
}

/** Only the user of the process may read the log. */
function makeOwn(file: string): void {
  mkdirSync(path.dirname(file), { recursive: true });
  const opened = openSync(file, 'a', ownerOnly);
  // A file of an earlier version keeps its mode otherwise. A device, such as /dev/null, is everybody's.
  if (fstatSync(opened).isFile()) fchmodSync(opened, ownerOnly);
  closeSync(opened);
}

/** Writes once it holds many lines, and when flushed. */
type Out = Pick<ReturnType<typeof pino.destination>, 'write' | 'flush' | 'flushSync'>;

/** Lines of 100 ms are written together: a write costs more than a line. Warnings and errors are written at once. */
export function gathered(out: Out): DestinationStream {
  let waits = false;
  const writeAll = () => {
    waits = false;
    out.flush();
  };
  const lines = {
    /** Has pino set `lastLevel` before each line. */
    [Symbol.for('pino.metadata')]: true,
    lastLevel: 0,
    write(line: string) {
      out.write(line);
      if (lines.lastLevel >= warnLevel) out.flush();
      // After a warning too: while a write is under way, a flush does nothing.
      if (waits) return;
      waits = true;
      setTimeout(writeAll, gatherMs).unref();
    },
    /** What pino calls after a fatal line. */
    flushSync: () => out.flushSync(),
  };
  return lines;
}
