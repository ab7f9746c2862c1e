/** Keys that services under test share with their callers. */
import { type Clock, systemClock } from '@store/db';
import { ServiceKeys, type Trust } from '@store/rpc';

const secret = Buffer.alloc(32, 'of tests');

/** As SERVICE_KEYS holds it, for services that are configured by environment. */
export const testServiceKeys = `1:${secret.toString('base64')}`;

/** `clock`: that of the service under test, which checks expiry. */
export function testTrust(clock: Clock = systemClock): Trust {
  return { keys: new ServiceKeys([{ id: 1, secret }], clock) };
}
