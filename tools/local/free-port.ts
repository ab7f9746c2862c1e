/** A free TCP port on 127.0.0.1. */
import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { CannotStart } from './cannot-start.ts';

/** Below those that systems give to outgoing connections (32,768 on Linux): one of these may take a port that was free just now. */
const anyFrom = 10_000;
const anyBelow = 32_768;
const triesMax = 100;

/** The wanted port if it is free, otherwise any free one; 0: any. */
export async function freePort(wanted: number): Promise<number> {
  if (wanted !== 0 && (await isFree(wanted))) return wanted;
  for (let attempt = 0; attempt < triesMax; attempt++) {
    const port = randomInt(anyFrom, anyBelow);
    if (await isFree(port)) return port;
  }
  throw new CannotStart(`None of ${triesMax} ports of 127.0.0.1 between ${anyFrom} and ${anyBelow} is free.`);
}

function isFree(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(false));
    server.listen(port, '127.0.0.1', () => server.close(() => resolve(true)));
  });
}
