/** The last error that a process logged, as one sentence for the terminal. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs';

const bytesMax = 16 * 1024;
const errorLevel = 50;
const sentenceMax = 400;

/** The last failure that the log names after `fromByte`; empty when it names none. */
export function lastError(file: string, fromByte = 0): string {
  const lines = tail(file, fromByte)
    .split('\n')
    .filter((line) => line.trim() !== '');
  const plain: string[] = [];
  let failure = '';
  for (const line of lines) {
    const fields = fieldsOf(line);
    if (!fields) plain.push(line.trim());
    else if (Number(fields.level) >= errorLevel) failure = [fields.msg, fields.err?.message].filter(Boolean).join(': ');
  }
  // A line that is not a log line is a refused configuration, or an uncaught error with its trace.
  const uncaught = plain.find((line) => /^(\w*Error|Bad configuration)\b/.test(line));
  const said = uncaught?.startsWith('Bad configuration') ? plain.slice(plain.indexOf(uncaught)).join(' ') : (uncaught ?? failure);
  return said.slice(0, sentenceMax);
}

/** The end of a log, at most 16 KiB and none of it before `fromByte`. */
export function tail(file: string, fromByte = 0): string {
  const log = openSync(file, 'r');
  try {
    const { size } = fstatSync(log);
    const start = Math.max(fromByte, size - bytesMax);
    const bytes = Buffer.alloc(Math.max(0, size - start));
    readSync(log, bytes, 0, bytes.length, start);
    return bytes.toString();
  } finally {
    closeSync(log);
  }
}

function fieldsOf(line: string): { level?: number; msg?: string; err?: { message?: string } } | undefined {
  if (!line.startsWith('{')) return undefined;
  try {
    return JSON.parse(line);
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}
