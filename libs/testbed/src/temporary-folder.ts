import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll } from '@jest/globals';

/** A new folder for the tests of a file; it is removed after them. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'store-test-'));
  afterAll(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
