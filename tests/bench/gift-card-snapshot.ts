/** GET /gift_cards/snapshot of 20,000 cards: when its first byte and its last one arrive, and what the processes take meanwhile. */
import http from 'node:http';
import { median as medianOf } from '../kit/load.ts';
import { residentMb } from '../kit/usage.ts';
import type { BenchLayout } from './events-layout.ts';
import type { BenchStore } from './fixture.ts';
import { giftCards } from './sales-rows.ts';

const warmUps = 3;
const runs = 10;
const sampleEveryMs = 20;

export async function benchSnapshot(layout: BenchLayout, { keys }: BenchStore): Promise<object> {
  for (let n = 0; n < warmUps; n++) await snapshot(layout.api, keys[1 + n]!);
  const before = residentMb(layout.processes);
  const peaks = { ...before };
  const sampler = setInterval(() => {
    for (const [name, mb] of Object.entries(residentMb(layout.processes))) peaks[name] = Math.max(peaks[name] ?? 0, mb);
  }, sampleEveryMs);
  const measured: Timing[] = [];
  try {
    for (let n = 0; n < runs; n++) measured.push(await snapshot(layout.api, keys[1 + warmUps + n]!));
  } finally {
    clearInterval(sampler);
  }
  const median = (of: (timing: Timing) => number) => Math.round(medianOf(measured.map(of)));
  const grown = Object.fromEntries(Object.entries(peaks).map(([name, mb]) => [name, Math.round(mb - (before[name] ?? 0))]));
  return {
    firstByteMs: median(({ firstByteMs }) => firstByteMs),
    doneMs: median(({ doneMs }) => doneMs),
    wanted: 'first byte ≤ 150 ms, done ≤ 600 ms, memory within 50 MB',
    grownMb: grown,
  };
}

interface Timing {
  firstByteMs: number;
  doneMs: number;
}

function snapshot(api: string, key: string): Promise<Timing> {
  const startedAt = performance.now();
  return new Promise((resolve, reject) => {
    const request = http.get(`${api}/gift_cards/snapshot`, { headers: { 'X-API-Key': key } }, (response) => {
      let firstByteMs = 0;
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (chunk: string) => {
        firstByteMs ||= performance.now() - startedAt;
        text += chunk;
      });
      response.on('error', reject);
      response.on('end', () => {
        const doneMs = performance.now() - startedAt;
        const cards = (JSON.parse(text) as { data: { cards: object[] } }).data.cards.length;
        if (cards === giftCards) resolve({ firstByteMs, doneMs });
        else reject(new Error(`the snapshot has ${cards} cards`));
      });
    });
    request.on('error', reject);
  });
}
