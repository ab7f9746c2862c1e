import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, expect, test } from '@jest/globals';
import { advisoriesOf, auditAdvisories, signaturesOf } from './audit.ts';

const registry = process.env.npm_config_registry;
let close: (() => void) | undefined;

afterEach(() => {
  close?.();
  if (registry === undefined) delete process.env.npm_config_registry;
  else process.env.npm_config_registry = registry;
});

const said = (answer: object) => ({ stdout: JSON.stringify(answer), isTooLate: false });

/** A project of one package, audited by npm against a registry of this test. */
async function auditedBy(answer: RequestListener, withinMs: number) {
  const server = createServer(answer).listen(0, '127.0.0.1');
  await once(server, 'listening');
  close = () => {
    server.closeAllConnections();
    server.close();
  };
  process.env.npm_config_registry = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  const manifest = { name: 'audited', version: '1.0.0', dependencies: { leaky: '1.0.0' } };
  const packages = { '': manifest, 'node_modules/leaky': { version: '1.0.0', integrity: `sha512-${'A'.repeat(86)}==` } };
  const own = mkdtempSync(path.join(tmpdir(), 'audit-'));
  writeFileSync(path.join(own, 'package.json'), JSON.stringify(manifest));
  writeFileSync(path.join(own, 'package-lock.json'), JSON.stringify({ ...manifest, lockfileVersion: 3, requires: true, packages }));
  try {
    return await auditAdvisories(own, withinMs);
  } finally {
    rmSync(own, { recursive: true, force: true });
  }
}

test('a package with a serious vulnerability fails the check, named with its versions', async () => {
  const advisory = { id: 1, url: 'https://example.com/1', title: 'It leaks', severity: 'high', vulnerable_versions: '<2.0.0', cwe: [] };
  const finding = await auditedBy((request, response) => {
    response.setHeader('Content-Type', 'application/json');
    if (request.method === 'POST') response.end(JSON.stringify({ leaky: [advisory] }));
    else response.end(JSON.stringify({ name: 'leaky', versions: { '1.0.0': { version: '1.0.0' }, '2.0.0': { version: '2.0.0' } } }));
  }, 25_000);
  expect(finding).toEqual({ faults: ['leaky 1.0.0 has a vulnerability of severity high'] });
});

test('a registry that knows no audit skips the step with a sentence', async () => {
  const finding = await auditedBy((_request, response) => void response.writeHead(405).end(), 25_000);
  expect(finding).toEqual({ faults: [], skipped: 'the registry cannot answer npm audit' });
});

test('a registry that does not answer skips the step with a sentence, in time', async () => {
  const finding = await auditedBy(() => undefined, 300);
  expect(finding).toEqual({ faults: [], skipped: 'the registry does not answer npm audit in time' });
});

test('less serious vulnerabilities do not fail the check', () => {
  const low = { severity: 'moderate', range: '<2.0.0' };
  expect(advisoriesOf(said({ vulnerabilities: { leaky: low } }))).toEqual({ faults: [] });
});

test('a package with a missing or wrong signature of its registry fails the check', () => {
  const one = { name: 'leaky', version: '1.0.0' };
  expect(signaturesOf(said({ invalid: [one], missing: [] })).faults).toEqual(['leaky@1.0.0 is not what its registry signed']);
  expect(signaturesOf(said({ invalid: [], missing: [one] })).faults).toEqual(['leaky@1.0.0 has no signature, though its registry signs']);
  expect(signaturesOf(said({ invalid: [], missing: [] }))).toEqual({ faults: [] });
});
