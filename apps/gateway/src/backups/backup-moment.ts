/** `backup-moment`: finds a moment for a backup, runs the given program on it, and notes the time of the backup for its alert. */
import { closeSession, newSession } from '@store/db';
import { backupMomentCommand } from '@store/service';

export const backupMoment = (args: string[]): Promise<boolean> => backupMomentCommand(args, noteBackup);

async function noteBackup(url: string): Promise<void> {
  const client = newSession({ url, applicationName: 'store-backup' });
  try {
    await client.connect();
    await client.query('insert into gateway.backups default values');
  } finally {
    await closeSession(client);
  }
}
