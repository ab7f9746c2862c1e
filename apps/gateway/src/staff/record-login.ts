import type { EntityManager } from '@store/db';
import { emit } from '@store/events';
import { type Caller, systemCaller } from '@store/rpc';
import type { Gateway, GatewayCall } from '../gateway.ts';
import type { StaffUserRow } from './staff-user.ts';

type Of = Pick<StaffUserRow, 'id' | 'name' | 'role'> & { store_id: number };

/** The user is the one who logged in; a refused login has none. */
export async function recordLogin(em: EntityManager, app: Gateway, call: GatewayCall, user: Of, outcome: 'login' | 'login_refused') {
  const { requestId, ip } = call.caller;
  const actor: Caller['actor'] = { ...call.caller.actor, type: 'user', userId: user.id, userName: user.name, role: user.role };
  const system = systemCaller(user.store_id);
  const caller = { ...system, requestId, ip, ...(outcome === 'login' && { actor }) };
  const audit = { action: `staff_user.${outcome}`, resource_type: 'StaffUser', resource_id: user.id, before: null, after: null };
  await emit(em, app.outbox, caller, [{ name: `staff_user.${outcome}`, aggregate: `staff_user:${user.id}`, audit }]);
}

/** Not awaited: for an unknown address there is nothing to write, and the answer's time must not reveal that. */
export function recordRefusedLogin(app: Gateway, call: GatewayCall, user: Of): void {
  const write = app.db.unit(user.store_id, (em) => recordLogin(em, app, call, user, 'login_refused'));
  write.catch((error: unknown) =>
    app.log.error({ err: error, request_id: call.caller.requestId }, 'A refused login is not in the audit trail'),
  );
}
