/** jest's global teardown: ends the servers that its setup started. */
import { stopTestServers } from './jest-setup.ts';

export default async function teardown(): Promise<void> {
  await stopTestServers.stop();
}
