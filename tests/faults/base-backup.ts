/** A base backup of a PostgreSQL of this machine: its files, and the label that says from where their log is replayed. */
import { spawnSync } from 'node:child_process';
import { appendFileSync, chownSync, copyFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { withClient } from '@store/testbed/with-client';

interface BaseBackup {
  url: string;
  /** The data directory, and where its copy goes. */
  from: string;
  to: string;
  /** `standby` follows the server; `recovery` ends at a place in its log. */
  as: 'standby' | 'recovery';
  /** Lines for the copy's configuration; called when the files are there. What the server's log gets meanwhile goes with them. */
  settings(): Promise<string>;
}

export async function baseBackup({ url, from, to, as, settings }: BaseBackup): Promise<void> {
  await withClient(url, async (client) => {
    await client.query('select pg_backup_start($1, true)', [as]);
    copy(['-a', from, to]);
    const { rows } = await client.query<{ labelfile: string }>('select labelfile from pg_backup_stop(false)');
    const lines = await settings();
    await client.query('select pg_switch_wal()');
    const { uid, gid } = statSync(to);
    const owned = (name: string, text: string) => {
      writeFileSync(path.join(to, name), text, { mode: 0o600 });
      chownSync(path.join(to, name), uid, gid);
    };
    // What was written since, in the place of an archive.
    copy(['-a', `${path.join(from, 'pg_wal')}/.`, path.join(to, 'pg_wal')]);
    rmSync(path.join(to, 'postmaster.pid'));
    owned('backup_label', rows[0]!.labelfile);
    owned(`${as}.signal`, '');
    appendFileSync(path.join(to, 'postgresql.auto.conf'), lines);
    copyFileSync(`${from}.password`, `${to}.password`);
  });
}

/** A file of the log may be recycled while it is copied: of those that are needed, none is. */
function copy(args: string[]): void {
  const { status, stderr } = spawnSync('cp', args, { encoding: 'utf8' });
  if (status !== 0 && !stderr.split('\n').every((line) => line === '' || /No such file/.test(line))) throw new Error(stderr);
}
