import { fileURLToPath } from 'node:url';

/** Arguments of Node for an app whose wall clock SIGUSR2 sets. */
export const jumpingClock = ['--import', fileURLToPath(import.meta.resolve('./clock-ahead.ts'))];
