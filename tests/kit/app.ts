/**
 * One app as a process of its own, as apps/<app>/src/run.ts starts it, with the journey's clock: the app as the first
 * argument, the clock's file in JOURNEYS_CLOCK.
 */
import { registerHooks } from 'node:module';
import { run } from '@store/service';
import { declarationOf } from '../../tools/local/apps.ts';
import { SharedClock } from './shared-clock.ts';

const [app = ''] = process.argv.slice(2);
const clock = SharedClock.open(process.env.JOURNEYS_CLOCK!);
const clockedRedis = new URL('clocked-redis.ts', import.meta.url).href;

// The key gate uses Redis's own time, which no test can set, so it gets a client that applies the journey's clock.
registerHooks({
  resolve: (specifier, context, next) =>
    next(specifier === 'redis' && context.parentURL?.includes('/gateway/src/key-gate/') ? clockedRedis : specifier, context),
});

await run(await declarationOf(app), {}, { args: [], clock });
