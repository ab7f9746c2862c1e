/** One JSON line per fact an operator needs; keys, secrets, passwords and tokens are never in it. */
import pino, { type Logger } from 'pino';

export type Log = Logger;

const secretPaths = [
  'key',
  'token',
  'password',
  'secret',
  'cookie',
  'authorization',
  '*.key',
  '*.token',
  '*.password',
  '*.secret',
  'headers["x-api-key"]',
  'headers.authorization',
  'headers.cookie',
];

/** `file`: where lines go; standard output when absent. */
export function openLog(app: string, level: string, file?: string): Log {
  const options = { name: app, level, redact: { paths: secretPaths, censor: '[hidden]' }, base: { app } };
  return file ? pino(options, pino.destination({ dest: file, sync: false, mkdir: true })) : pino(options);
}
