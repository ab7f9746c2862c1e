/** One jest project per app and lib, found by convention; Node loads TypeScript as it is, so nothing is transformed. */
import { existsSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('.', import.meta.url));

const projects = ['apps', 'libs', 'tests', 'tools', 'deploy'].flatMap((group) =>
  readdirSync(path.join(root, group))
    .map((name) => path.join(group, name))
    .filter((folder) => existsSync(path.join(root, folder, 'project.json'))),
);

// Tests that judge waiting times are called *.alone.test.ts; `npm test` runs them after all others, one at a time.
const alone = process.env.STORE_TEST_ALONE;

/** What a project shares with all others. */
const project = (folder) => ({
  displayName: path.basename(folder),
  rootDir: root,
  roots: [path.join(root, folder)],
  // Not by testPathIgnorePatterns: one on the command line would replace it.
  testMatch: alone === 'only' ? ['**/*.alone.test.ts'] : ['**/*.test.ts', ...(alone === 'no' ? ['!**/*.alone.test.ts'] : [])],
  extensionsToTreatAsEsm: ['.ts'],
  transform: {},
  testRunner: path.join(root, 'tools/dev/jest/test-framework.ts'),
});

// nx names the one project that it runs; `npm test` runs them all.
const only = process.env.STORE_TEST_PROJECT ?? process.env.NX_TASK_TARGET_PROJECT;

export default {
  rootDir: root,
  projects: projects.filter((folder) => !only || path.basename(folder) === only).map(project),
  globalSetup: path.join(root, 'tools/dev/jest-setup.ts'),
  globalTeardown: path.join(root, 'tools/dev/jest-teardown.ts'),
  testSequencer: path.join(root, 'tools/dev/longest-first.cjs'),
  // One more than the two processors of CI: most files wait for servers and other processes for part of their time.
  maxWorkers: 3,
  // Real servers on a busy machine: a limit that only what hangs can reach.
  testTimeout: 90_000,
  // A worker that has grown is replaced.
  workerIdleMemoryLimit: '1200MB',
};
