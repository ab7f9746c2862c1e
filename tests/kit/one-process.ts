/** The product as `npm start` runs it: every app in this process, with the in-process transport. */
import { capturingLog, logNothing, SetClock } from '@store/testbed';
import { migratedDatabase } from '../../tools/dev/migrated-database.ts';
import { startServices } from '../../tools/local/services.ts';
import type { Layout, LayoutOptions } from './layout.ts';

export async function openOneProcess({ env, startsAt, purgeOldEvents }: LayoutOptions): Promise<Layout> {
  const clock = new SetClock(startsAt);
  const { url, close } = await migratedDatabase();
  const { log, lines } = purgeOldEvents ? capturingLog() : { log: logNothing, lines: [] };
  const running = await startServices({ DATABASE_URL: url, GATEWAY_PORT: '0', ...env }, { clock, log });
  return {
    baseUrl: `http://${running.address}`,
    databaseUrl: url,
    clock,
    // The relay deletes a row once every consumer in this process has handled it.
    published: async () => ({ messages: 0, behind: 0 }),
    logged: () => lines,
    close: async () => {
      await running.stop();
      await close();
    },
  };
}
