/** The webhooks service: turns events into deliveries, which its dispatcher posts. What is special about it. */
import { type ServiceDeclaration, type StartOptions, startService } from '@store/service';
import { refuseTestSettings, ownSettings as settings } from './config.ts';
import { consumeEvents } from './consume-events.ts';
import { migrations } from './migrations/all.ts';
import { openStream } from './monitor/stream-door.ts';
import { type OpenWebhooks, openWebhooks, runInBackground } from './open-webhooks.ts';
import { verbs } from './rpc.ts';
import { entities } from './tables.ts';

const parts = { migrations, entities, open: openWebhooks, verbs, consumer: consumeEvents, background: runInBackground, doors: openStream };

export const webhooks: ServiceDeclaration<OpenWebhooks, typeof settings, { streamAddress: string }> = {
  ...{ app: 'webhooks', settings, check: refuseTestSettings },
  ...parts,
};

export const start = (options: StartOptions) => startService(webhooks, options);
