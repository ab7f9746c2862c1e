/** A backup that `backup-moment` saw made: its table, and its age. */
import { defineEntity } from '@mikro-orm/core';
import { timeColumn } from '@store/db';
import type { Metrics } from '@store/service';

export const Backup = defineEntity({
  name: 'Backup',
  tableName: 'backups',
  properties: { madeAt: timeColumn().primary().defaultRaw('now()') },
});

export function showLastBackup(metrics: Metrics): void {
  metrics.figure({
    name: 'store_backup_timestamp_seconds',
    help: 'Unix time of the last backup that backup-moment saw made; 0: none yet.',
    text: 'select coalesce(extract(epoch from max(made_at)), 0) as value from gateway.backups',
  });
}
