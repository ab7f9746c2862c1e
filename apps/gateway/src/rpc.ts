/** The gateway's own rpcs: rpc name → verb. */
import type { GatewayDefinition } from '@store/protos/gateway/v1/Gateway.ts';
import type { Verbs } from '@store/rpc';
import { listAuditEntries } from './audit/list-audit-entries.ts';
import type { Gateway, GatewayCall } from './gateway.ts';
import { createApiKey } from './keys/create-api-key.ts';
import { getKey } from './keys/get-key.ts';
import { listApiKeys } from './keys/list-api-keys.ts';
import { revokeApiKey } from './keys/revoke-api-key.ts';
import { getRequest } from './requests/get-request.ts';
import { listRequests } from './requests/list-requests.ts';
import { summarizeRequests } from './requests/summarize-requests.ts';
import { getSettings } from './settings/get-settings.ts';
import { updateSettings } from './settings/update-settings.ts';
import { confirmStaffSession } from './staff/confirm-staff-session.ts';
import { createStaffSession } from './staff/create-staff-session.ts';
import { createStaffUser } from './staff/create-staff-user.ts';
import { deleteStaffSession, endOtherStaffSessions, endStaffSession } from './staff/delete-staff-session.ts';
import { acceptStaffInvite, inviteStaffUser } from './staff/invite-staff-user.ts';
import { listStaffSessions } from './staff/list-staff-sessions.ts';
import { listStaffUsers } from './staff/list-staff-users.ts';
import { beginSecondFactor, confirmSecondFactor, removeOwnSecondFactor, removeSecondFactor } from './staff/own-second-factor.ts';
import { getOwnStaffUser, updateOwnStaffUser } from './staff/own-staff-user.ts';
import { updateStaffUser } from './staff/update-staff-user.ts';

/** The verbs of store.gateway.v1.Gateway, answered in this process. */
export function gatewayVerbs(app: Gateway): Verbs<GatewayDefinition> {
  const bound =
    <Request, Response>(verb: (app: Gateway, request: Request, call: GatewayCall) => Promise<Response>) =>
    (request: Request, call: GatewayCall) =>
      verb(app, request, call);
  return {
    AcceptStaffInvite: bound(acceptStaffInvite),
    BeginSecondFactor: bound(beginSecondFactor),
    ConfirmSecondFactor: bound(confirmSecondFactor),
    ConfirmStaffSession: bound(confirmStaffSession),
    CreateApiKey: bound(createApiKey),
    CreateStaffSession: bound(createStaffSession),
    CreateStaffUser: bound(createStaffUser),
    DeleteStaffSession: bound(deleteStaffSession),
    EndOtherStaffSessions: bound(endOtherStaffSessions),
    EndStaffSession: bound(endStaffSession),
    GetKey: bound(getKey),
    GetOwnStaffUser: bound(getOwnStaffUser),
    GetRequest: bound(getRequest),
    GetSettings: bound(getSettings),
    InviteStaffUser: bound(inviteStaffUser),
    ListApiKeys: bound(listApiKeys),
    ListAuditEntries: bound(listAuditEntries),
    ListRequests: bound(listRequests),
    ListStaffSessions: bound(listStaffSessions),
    ListStaffUsers: bound(listStaffUsers),
    RemoveOwnSecondFactor: bound(removeOwnSecondFactor),
    RemoveSecondFactor: bound(removeSecondFactor),
    RevokeApiKey: bound(revokeApiKey),
    SummarizeRequests: bound(summarizeRequests),
    UpdateOwnStaffUser: bound(updateOwnStaffUser),
    UpdateSettings: bound(updateSettings),
    UpdateStaffUser: bound(updateStaffUser),
  };
}
