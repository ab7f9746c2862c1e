/** The user that PostgreSQL runs as: it refuses root, so as root it runs as the user `postgres`. */
import { spawnSync } from 'node:child_process';
import { existsSync, statSync } from 'node:fs';
import path from 'node:path';
import { CannotStart } from './cannot-start.ts';

export interface OsUser {
  uid: number;
  gid: number;
}

const userName = 'postgres';

/** Undefined: the current user. For root, the owner of an existing data directory, else `postgres`, which is created if missing. */
export function postgresUser(dataDir: string): OsUser | undefined {
  if (process.getuid?.() !== 0) return undefined;
  if (existsSync(dataDir)) {
    const { uid, gid } = statSync(dataDir);
    if (uid !== 0) return { uid, gid };
  }
  return lookUp() ?? create();
}

function lookUp(): OsUser | undefined {
  const [uid, gid] = ['-u', '-g'].map((flag) => spawnSync('id', [flag, userName], { encoding: 'utf8' }));
  if (uid?.status !== 0 || gid?.status !== 0) return undefined;
  return { uid: Number(uid.stdout), gid: Number(gid.stdout) };
}

function create(): OsUser {
  const debian = spawnSync('useradd', ['--system', '--user-group', '--no-create-home', userName]);
  if (debian.status !== 0) spawnSync('adduser', ['-S', '-D', '-H', userName]);
  const user = lookUp();
  if (!user)
    throw new CannotStart(`PostgreSQL does not run as root and the user "${userName}" could not be made: run this as another user.`);
  return user;
}

/** Refuses a folder that the user cannot reach, such as one below /root. */
export function demandReach(user: OsUser | undefined, place: string): void {
  if (!user) return;
  for (let folder = path.dirname(place); ; folder = path.dirname(folder)) {
    if (existsSync(folder) && !mayEnter(user, folder)) {
      throw new CannotStart(
        `PostgreSQL does not run as root, and the user "${userName}" may not enter ${folder}: run this as another user, move the project, or allow it with chmod o+x ${folder}`,
      );
    }
    if (folder === path.dirname(folder)) return;
  }
}

function mayEnter(user: OsUser, folder: string): boolean {
  const { mode, uid, gid } = statSync(folder);
  if (uid === user.uid) return (mode & 0o100) !== 0;
  return (mode & (gid === user.gid ? 0o010 : 0o001)) !== 0;
}
