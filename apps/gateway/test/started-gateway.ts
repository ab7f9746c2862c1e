/** The gateway as a process starts it, on a free port, without Kafka. */
import { randomBytes } from 'node:crypto';
import { InProcessTransport } from '@store/events';
import type { StartOptions } from '@store/service';
import { logNothing } from '@store/testbed';
import { start } from '../src/main.ts';

export const secret = (id = 1) => `${id}:${randomBytes(32).toString('base64')}`;

export const startGateway = (url: string, settings: Record<string, string> = {}, more: Partial<StartOptions> = {}) =>
  start({
    env: { DATABASE_URL: url, GATEWAY_PORT: '0', GATEWAY_NOT_READY_MS: '0', SECRET_KEYS: secret(), KEY_PEPPERS: secret(), ...settings },
    log: logNothing,
    transport: new InProcessTransport(),
    ...more,
  });
