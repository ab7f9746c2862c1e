/** Requests to the key gates of several gateways under one limit, and how many each minute admitted. */
import { randomBytes } from 'node:crypto';
import type { Admission, KeyGate } from '../../apps/gateway/src/key-gate/key-gate.ts';
import { keyRecord } from '../../apps/gateway/src/key-gate/key-gates.testing.ts';
import { rateLimitOf, windowEnd } from '../../apps/gateway/src/key-gate/rate-limit.ts';
import { startClients } from '../kit/load.ts';

export const backWithinMs = 90_000;
/** That of a key without a completed request too, so that no mark decides. */
export const limit = 60;
export const gateways = 2;
export const pepper = randomBytes(32);
export const clock = { now: () => new Date() };
const record = keyRecord(limit);
const everyMs = 4;

interface Window {
  admitted: number;
  sent: number;
}

/** Requests to the gates with each key in turn, counted by key and minute; a call that fails ends the test. */
export function startRequests(gates: KeyGate[], hashes: string[]): { sent(): number; stop(): Promise<Window[]> } {
  const windows = new Map<string, Window>();
  const sent = () => windows.values().reduce((sum, window) => sum + window.sent, 0);
  const clients = startClients(gates.length, everyMs, async (gate, n) => {
    const hash = hashes[n % hashes.length]!;
    const admission = await request(gates[gate]!, hash);
    const name = `${hash} ${windowEnd(admission.nowMs).getTime()}`;
    const window = windows.get(name) ?? { admitted: 0, sent: 0 };
    window.sent += 1;
    if (!admission.revoked && rateLimitOf(admission, record).admitted) window.admitted += 1;
    windows.set(name, window);
  });
  const stop = async () => {
    await clients.stop();
    return [...windows.values()];
  };
  return { sent, stop };
}

/** As the pipeline makes it: from the remembered record, or read from the database and remembered. */
async function request(gate: KeyGate, hash: string): Promise<Admission> {
  const admission = await gate.admit(hash);
  return admission.record || admission.revoked ? admission : gate.remember(hash, record, admission.version);
}
