import type { GatewayDefinition } from '@store/protos/gateway/v1.ts';
import type { VerbTable } from '@store/rpc';
import { listAuditEntries } from './audit/list-audit-entries.ts';
import type { Gateway } from './gateway.ts';
import { createApiKey } from './keys/create-api-key.ts';
import { getKey } from './keys/get-key.ts';
import { listApiKeys } from './keys/list-api-keys.ts';
import { revokeApiKey } from './keys/revoke-api-key.ts';
import { getRequest } from './requests/get-request.ts';
import { listRequests } from './requests/list-requests.ts';
import { summarizeRequests } from './requests/summarize-requests.ts';
import { getSettings } from './settings/get-settings.ts';
import { updateSettings } from './settings/update-settings.ts';
import { confirmStaffSession } from './staff/confirm-password.ts';
import { createStaffSession } from './staff/create-staff-session.ts';
import { createStaffUser } from './staff/create-staff-user.ts';
import { deleteStaffSession, endOtherStaffSessions, endStaffSession } from './staff/delete-staff-session.ts';
import { acceptStaffInvite, inviteStaffUser } from './staff/invite-staff-user.ts';
import { listStaffSessions } from './staff/list-staff-sessions.ts';
import { listStaffUsers } from './staff/list-staff-users.ts';
import { beginSecondFactor, confirmSecondFactor, removeOwnSecondFactor, removeSecondFactor } from './staff/own-second-factor.ts';
import { getOwnStaffUser, updateOwnStaffUser } from './staff/own-staff-user.ts';
import { updateStaffUser } from './staff/update-staff-user.ts';

export const verbs: VerbTable<Gateway, GatewayDefinition> = {
  AcceptStaffInvite: acceptStaffInvite,
  BeginSecondFactor: beginSecondFactor,
  ConfirmSecondFactor: confirmSecondFactor,
  ConfirmStaffSession: confirmStaffSession,
  CreateApiKey: createApiKey,
  CreateStaffSession: createStaffSession,
  CreateStaffUser: createStaffUser,
  DeleteStaffSession: deleteStaffSession,
  EndOtherStaffSessions: endOtherStaffSessions,
  EndStaffSession: endStaffSession,
  GetKey: getKey,
  GetOwnStaffUser: getOwnStaffUser,
  GetRequest: getRequest,
  GetSettings: getSettings,
  InviteStaffUser: inviteStaffUser,
  ListApiKeys: listApiKeys,
  ListAuditEntries: listAuditEntries,
  ListRequests: listRequests,
  ListStaffSessions: listStaffSessions,
  ListStaffUsers: listStaffUsers,
  RemoveOwnSecondFactor: removeOwnSecondFactor,
  RemoveSecondFactor: removeSecondFactor,
  RevokeApiKey: revokeApiKey,
  SummarizeRequests: summarizeRequests,
  UpdateOwnStaffUser: updateOwnStaffUser,
  UpdateSettings: updateSettings,
  UpdateStaffUser: updateStaffUser,
};
