import { sql } from '@store/db';
import type { Done } from '@store/protos/api/v1/Done.ts';
import type { DeleteStaffSessionRequest__Output } from '@store/protos/gateway/v1/DeleteStaffSessionRequest.ts';
import { Reply } from '@store/rpc';
import type { Gateway, GatewayCall } from '../gateway.ts';
import { clearCookie } from './session-text.ts';

/** DELETE /staff_sessions/current: ends the calling session on the server and takes the cookie back. */
export async function deleteStaffSession(
  app: Gateway,
  _request: DeleteStaffSessionRequest__Output,
  call: GatewayCall,
): Promise<Reply<Done>> {
  const { storeId, actor } = call.caller;
  if (call.sessionId === undefined) throw new Error('DeleteStaffSession needs the session that called');
  await app.db.unit(storeId, (em) =>
    sql(em, 'delete from gateway.staff_sessions where id = $1 and user_id = $2', [call.sessionId, actor.userId]),
  );
  return new Reply({ success: true, message: 'Logged out' }, { cookies: [clearCookie()] });
}
