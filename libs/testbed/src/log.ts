/** Loggers for tests. */
import type { KafkaLog } from '@store/events';
import type { Log } from '@store/service';
import pino from 'pino';

/** Writes nothing. */
export const logNothing: Log = pino({ level: 'silent' });

/** Errors alone: kafkajs warns about every connection that a starting broker refuses. */
export const logErrors: KafkaLog = {
  error: (fields, message) => console.error(message, fields),
  warn: () => undefined,
  info: () => undefined,
};

/** Keeps every line, so that a test can check what was logged and what was not. */
export function capturingLog(): { log: Log; lines: Record<string, unknown>[] } {
  const lines: Record<string, unknown>[] = [];
  const log = pino({ level: 'trace' }, { write: (line: string) => void lines.push(JSON.parse(line) as Record<string, unknown>) });
  return { log, lines };
}
