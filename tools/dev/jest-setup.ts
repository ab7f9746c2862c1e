/** jest's global setup: a suite that is run by itself brings its own servers. */
import { startTestServers } from './test-servers.ts';

export default async function setup(): Promise<void> {
  stopTestServers.stop = await startTestServers((line) => process.stderr.write(`${line}\n`));
}

/** What the global teardown calls. */
export const stopTestServers: { stop: () => Promise<void> } = { stop: async () => undefined };
