/** Checks a history against every rule, and lists each violation. Pure. */
import { checkDeliveries } from './check-deliveries.ts';
import { checkEvents } from './check-events.ts';
import { checkKeys } from './check-keys.ts';
import { checkAudit, checkLedger } from './check-ledger.ts';
import { checkMoney } from './check-money.ts';
import { checkRegister } from './check-register.ts';
import { checkRest } from './check-rest.ts';
import { checkWrites } from './check-writes.ts';
import type { History, Violation } from './history.ts';

export function check(history: History): Violation[] {
  return [
    ...checkWrites(history),
    ...checkEvents(history),
    ...checkLedger(history),
    ...checkAudit(history),
    ...checkDeliveries(history),
    ...checkRegister(history),
    ...checkMoney(history),
    ...checkRest(history),
    ...checkKeys(history),
    ...history.unsettled.map((detail) => ({ rule: 'not-settled', detail })),
  ];
}
