/** A real Redis for tests that need one: it stores nothing on disk and is stopped afterwards. */
import { spawn, spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { endChild } from './end-child.ts';
import { freePort } from './free-port.ts';
import type { RunningServer } from './postgres.ts';

const portDefault = 6390;
const startMaxMs = 10_000;
const pollMs = 20;

/** Starts `redis-server` on a free port of 127.0.0.1, or says why that is impossible. */
export async function startRedis(
  log: (line: string) => void = () => undefined,
  wanted = portDefault,
): Promise<RunningServer | { skipped: string }> {
  if (!isInstalled() && mayInstall()) installDebianPackage(log);
  if (!isInstalled()) return { skipped: 'there is no redis-server on the PATH' };
  const port = await freePort(wanted);
  const flags = [
    '--port',
    String(port),
    '--bind',
    '127.0.0.1',
    '--save',
    '',
    '--appendonly',
    'no',
    '--dir',
    '/tmp',
    '--loglevel',
    'warning',
  ];
  const child = spawn('redis-server', flags, { detached: true, stdio: 'ignore' });
  child.unref();
  const pid = child.pid!;
  const endOnExit = () => child.kill('SIGKILL');
  process.once('exit', endOnExit);
  for (let waited = 0; !(await answers(port)); waited += pollMs) {
    if (waited > startMaxMs || child.exitCode !== null) return { skipped: 'redis-server does not start' };
    await wait(pollMs);
  }
  return {
    url: `redis://127.0.0.1:${port}`,
    pid,
    stop: async () => {
      process.removeListener('exit', endOnExit);
      child.ref();
      await endChild(child);
    },
  };
}

function isInstalled(): boolean {
  return spawnSync('redis-server', ['--version']).status === 0;
}

/** Only where a missing Redis would fail the run, and only as root on Debian. */
function mayInstall(): boolean {
  const wanted = process.env.CI === 'true' || process.env.STORE_TEST_INSTALL === '1';
  return wanted && process.getuid?.() === 0 && spawnSync('apt-get', ['--version']).status === 0;
}

function installDebianPackage(log: (line: string) => void): void {
  log('Installing the Debian package redis-server');
  // The package would start a system service; this policy prevents that during the installation.
  const script = `
    set -e
    apt-get update -qq
    policy=/usr/sbin/policy-rc.d
    if [ ! -e $policy ]; then printf '#!/bin/sh\\nexit 101\\n' > $policy; chmod +x $policy; trap "rm -f $policy" EXIT; fi
    DEBIAN_FRONTEND=noninteractive apt-get install -y -qq --no-install-recommends redis-server`;
  const result = spawnSync('bash', ['-c', script], { stdio: ['ignore', 'ignore', 'inherit'] });
  if (result.status !== 0) log('redis-server could not be installed');
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect({ port, host: '127.0.0.1' }, () => socket.write('PING\r\n'));
    socket.once('data', (data) => {
      socket.destroy();
      resolve(data.toString().startsWith('+PONG'));
    });
    socket.once('error', () => resolve(false));
  });
}
