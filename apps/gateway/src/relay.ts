/** `relay` of the gateway: its outbox or all of them, and the audit trail, which is written from all events. */
import { relayCommand } from '@store/service/relay-command';
import { recordAudit } from './audit/record-audit.ts';
import { migrations } from './migrations/all.ts';

export const relay = (args: string[]): Promise<boolean> => relayCommand('gateway', args, { consumer: recordAudit, migrations });
