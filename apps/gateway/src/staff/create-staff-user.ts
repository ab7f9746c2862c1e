/** POST /staff_users, Admin only. */

import { type EntityManager, isUniqueViolation, sql, sqlOne } from '@store/db';
import { emit } from '@store/events';
import { invalid, Problem } from '@store/problem';
import type { CreateStaffUserRequest__Output } from '@store/protos/gateway/v1/CreateStaffUserRequest.ts';
import type { StaffUserResponse } from '@store/protos/gateway/v1/StaffUserResponse.ts';
import type { Reply } from '@store/rpc';
import { change } from '@store/service';
import type { Gateway, GatewayCall } from '../gateway.ts';
import { staffUserInput } from './staff-user.input.ts';
import { type StaffUserRow, staffUserColumns, staffUserFacts, staffUserView } from './staff-user.view.ts';

const created = 201;

/** Creates a staff user of the caller's store; the e-mail address is one person's over all stores. */
export async function createStaffUser(
  app: Gateway,
  request: CreateStaffUserRequest__Output,
  call: GatewayCall,
): Promise<StaffUserResponse | Reply<StaffUserResponse>> {
  const { caller } = call;
  const accepted = staffUserInput(request.staff_user, true);
  const passwordHash = await app.passwords.hash(accepted.password!);
  return change<StaffUserResponse>({ db: app.db, call, response: 'store.gateway.v1.StaffUserResponse', status: created }, async (em) => {
    const row = await insertStaffUser(em, {
      storeId: caller.storeId,
      name: accepted.name!,
      email: accepted.email!,
      passwordHash,
      role: accepted.role!,
      financialData: accepted.financial_data ?? false,
      active: accepted.active ?? true,
      now: app.db.clock.now(),
    });
    await emit(em, app.outbox, caller, [
      {
        name: 'staff_user.created',
        aggregate: `staff_user:${row.id}`,
        audit: {
          action: 'staff_user.create',
          resource_type: 'StaffUser',
          resource_id: Number(row.id),
          before: null,
          after: staffUserFacts(row),
        },
      },
    ]);
    return { staff_user: staffUserView(row) };
  });
}

export interface NewStaffUser {
  storeId: number;
  name: string;
  email: string;
  passwordHash: string;
  role: string;
  financialData: boolean;
  active: boolean;
  now: Date;
}

/** Inserts the row; an address that is taken is a 422, in a race a 409 (decision D27). */
export async function insertStaffUser(em: EntityManager, user: NewStaffUser): Promise<StaffUserRow> {
  await refuseTakenEmail(em, user.email);
  try {
    return await sqlOne<StaffUserRow>(
      em,
      `insert into gateway.staff_users (store_id, name, email, password_hash, role, financial_data, active, created_at, updated_at)
       values ($1, $2, $3, $4, $5, $6, $7, $8, $8) returning ${staffUserColumns}`,
      [user.storeId, user.name, user.email, user.passwordHash, user.role, user.financialData, user.active, user.now],
    );
  } catch (error) {
    throw emailRace(error);
  }
}

export async function refuseTakenEmail(em: EntityManager, email: string, ownId = 0): Promise<void> {
  const taken = await sql(em, 'select id from gateway.staff_users where email = $1 and id <> $2', [email, ownId]);
  if (taken.length > 0) throw invalid(['Email has already been taken']);
}

export function emailRace(error: unknown): unknown {
  if (!isUniqueViolation(error)) return error;
  return new Problem('conflict', 'Record already exists', { details: 'email has already been taken' }, { cause: error });
}
