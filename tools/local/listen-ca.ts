/** The certificate authority of `npm run listen`, made once and kept below `.data`, so that a store is configured with it once. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { keptCa, type ThrowAwayCa, throwAwayCa } from '@store/testbed/certificates';
import { readJson, writeJson } from './data-dir.ts';

const years = 10;
const fileName = 'listen-ca.pem';

export interface ListenCa extends ThrowAwayCa {
  /** What WEBHOOK_CA_FILE names. */
  file: string;
}

/** Makes the authority when a start names its file as WEBHOOK_CA_FILE: `listen` need not have run before. */
export function listenCaForStart(dir: string, named: string | undefined): void {
  if (named && path.resolve(named) === path.join(dir, fileName)) listenCa(dir);
}

export function listenCa(dir: string): ListenCa {
  const keyFile = path.join(dir, 'listen-ca.json');
  const file = path.join(dir, fileName);
  const kept = readJson<{ caPem: string; keyPem: string }>(keyFile);
  const notAfter = new Date();
  notAfter.setFullYear(notAfter.getFullYear() + years);
  const ca = kept ? keptCa(kept) : throwAwayCa({ notAfter });
  if (!kept) writeJson(keyFile, { caPem: ca.caPem, keyPem: ca.keyPem });
  writeFileSync(file, ca.caPem);
  return { ...ca, file };
}
