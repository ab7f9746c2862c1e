/** Keys that services under test share with their callers. */
import type { AppName } from '@store/contract';
import { type Clock, systemClock } from '@store/db';
import { type Pair, ServiceKeys } from '@store/rpc';
import { keysVariable, pairsOf } from '@store/service';

const secretOf = ({ caller, called }: Pair) => Buffer.alloc(32, `${caller} to ${called}, of tests`);

/** Every ring of an app, for services that are configured by environment. */
export const testKeys = (app: AppName): Record<string, string> =>
  Object.fromEntries(pairsOf(app).map((pair) => [keysVariable(pair), `1:${secretOf(pair).toString('base64')}`]));

/** Both ends of one pair; of no app of the registry where the apps do not matter. `clock`: that of the service under test, which checks expiry. */
export function testTrust(clock: Clock = systemClock, pair: Pair = { caller: 'tests', called: 'tested' }): { keys: ServiceKeys } {
  return { keys: new ServiceKeys([{ id: 1, secret: secretOf(pair) }], clock, { pair }) };
}
