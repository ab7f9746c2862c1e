/** The units of systemd: they are valid, and start what the images start. */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { appNames } from '@store/contract';
import { repository } from '../../tools/local/data-dir.ts';

const units = ['store@.service', 'store-relay.service'];
const read = (unit: string) => readFileSync(path.join(import.meta.dirname, unit), 'utf8');
const hasSystemd = spawnSync('systemd-analyze', ['--version']).status === 0;

(hasSystemd ? test : test.skip)(`systemd accepts them${hasSystemd ? '' : ' (skipped: no systemd-analyze)'}`, () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'units-'));
  // A template is verified as one of its instances; the program is where the pages say that Node is.
  const files = units.map((unit) => path.join(folder, unit.replace('@', '@catalog-1')));
  for (const [i, file] of files.entries()) writeFileSync(file, read(units[i]!).replace('/usr/bin/node', process.execPath));
  const { status, stderr } = spawnSync('systemd-analyze', ['verify', ...files], { encoding: 'utf8' });
  rmSync(folder, { recursive: true });
  expect([status, stderr]).toEqual([0, '']);
});

test.each(appNames)('a process of %s starts from its file, without new privileges, with time to stop', (app) => {
  for (const unit of units.map(read)) {
    const started = /ExecStart=\/usr\/bin\/node (\S+)/.exec(unit)![1]!.replace(/\$\{APP\}/, app);
    expect(existsSync(path.join(repository, started))).toBe(true);
    for (const line of ['User=store', 'NoNewPrivileges=yes', 'ProtectSystem=strict', 'TimeoutStopSec=45', 'Restart=always'])
      expect(unit.split('\n')).toContain(line);
  }
});
