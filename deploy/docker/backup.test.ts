/** deploy/backup.sh, with a program in Docker's place: what it asks of which container, and what is left where one fails. */
import { spawnSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from '@jest/globals';
import { repository } from '../../tools/local/data-dir.ts';

let root: string;
beforeEach(() => {
  root = mkdtempSync(path.join(tmpdir(), 'backup-'));
  mkdirSync(path.join(root, 'dumps'));
});
afterEach(() => rmSync(root, { recursive: true }));

/** `gateway`: what runs in place of backup-moment, with the program as its arguments; `postgres`: in place of pg_dump. */
function backup(gateway: string, postgres: string) {
  const docker = path.join(root, 'docker');
  writeFileSync(
    docker,
    `#!/usr/bin/env bash
shift 5 # compose -f compose.yaml exec -T
service=$1 program=$2; shift 2
if [ "$service" = gateway ]; then shift 3; ${gateway}; fi # apps/gateway/src/run.ts backup-moment --
if [ "$service" = postgres ]; then echo "$program $*" >"${root}/asked"; ${postgres}; fi
`,
  );
  chmodSync(docker, 0o755);
  const env = { ...process.env, PATH: `${root}:${process.env.PATH}` };
  return spawnSync('deploy/backup.sh', [path.join(root, 'dumps')], { cwd: repository, encoding: 'utf8', env });
}

/** As backup-moment does: the snapshot is put into the program, whose end it waits for and notes. */
const findsMoment = `echo 'Events waited 0.3 s.'; "\${@//\\{snapshot\\}/00-1}"; code=$?; [ $code = 0 ] && touch "$(dirname "$0")/noted"; exit $code`;
const left = () => readdirSync(path.join(root, 'dumps'));

test('dumps the snapshot that the gateway keeps and notes, and removes old dumps', () => {
  const old = path.join(root, 'dumps', 'store-20200101T000000Z.dump');
  writeFileSync(old, '');
  utimesSync(old, 0, 0);
  const { status, stdout, stderr } = backup(findsMoment, 'echo the-dump');
  expect([status, stderr]).toEqual([0, '']);
  expect(readFileSync(path.join(root, 'asked'), 'utf8')).toBe('pg_dump -U store --snapshot=00-1 --format=custom store\n');
  expect(left()).toEqual([path.basename(stdout.trim())]);
  expect(readFileSync(stdout.trim(), 'utf8')).toBe('the-dump\n');
  expect(readdirSync(root)).toContain('noted');
});

test.each([
  ['the dump fails', findsMoment, 'echo half; exit 1', 'There is no backup: the dump failed.\n'],
  ['no moment is found', 'exit 1', 'echo never', 'There is no backup: the gateway found no moment.\n'],
])('where %s it says so, and leaves no file and no note', (_name, gateway, postgres, said) => {
  const { status, stderr } = backup(gateway, postgres);
  expect([status, stderr]).toEqual([1, said]);
  expect(left()).toEqual([]);
  expect(readdirSync(root)).not.toContain('noted');
});
