/**
 * Loaded into a measured process (`node --import`): each SIGUSR2 writes the longest delay of its event loop
 * since the previous one, in milliseconds, to `<pid>` in the folder that LOOP_DELAY_DIR names.
 */
import { renameSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { monitorEventLoopDelay } from 'node:perf_hooks';

const resolution = 5;
const nsPerMs = 1e6;
const file = path.join(process.env.LOOP_DELAY_DIR!, String(process.pid));

const delay = monitorEventLoopDelay({ resolution });
delay.enable();
process.on('SIGUSR2', () => {
  writeFileSync(`${file}.part`, String(Math.max(0, delay.max / nsPerMs - resolution)));
  renameSync(`${file}.part`, file);
  delay.reset();
});
