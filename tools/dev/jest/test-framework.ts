/**
 * jest's own test framework with one difference: it loads modules as Node does, once per worker, and only the test file itself anew
 * for each run. jest would load every module of the product and of its packages again for each file, each time without
 * compiled and optimized code (docs/decisions/0225).
 */
import { createRequire, registerHooks } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { ModernFakeTimers } from '@jest/fake-timers';
import { ModuleMocker } from 'jest-mock';
import { type Globals, setGlobals } from './globals.ts';

/** What jest passes to its framework for one file; the runtime loads modules. */
type RunArguments = [globalConfig: object, config: object, environment: object, runtime: object, testPath: string, ...more: unknown[]];

const load = createRequire(import.meta.url);
const runner = load.resolve('jest-circus/runner');
const { default: runWithCircus } = load(runner) as { default(...args: RunArguments): Promise<object> };
/** Holds the tests, hooks and event handlers of one file. */
const circus = path.join(path.dirname(runner), 'jestAdapterInit.js');
const circusHandlers = Symbol.for('EVENT_HANDLERS');

const globalsUrl = new URL('globals.ts', import.meta.url).href;
registerHooks({
  resolve: (specifier, context, next) => next(specifier === '@jest/globals' ? globalsUrl : specifier, context),
});

const imported = new Set<string>();
let again = 0;

export default async function runFile(...[globalConfig, config, environment, runtime, testPath, ...more]: RunArguments): Promise<object> {
  const env = { ...process.env };
  const mocker = new ModuleMocker(globalThis);
  const timers = new ModernFakeTimers({ config: config as never, global: globalThis });
  const loading = {
    requireModule: load,
    requireInternalModule: (file: string) => (load.resolve(file) === circus ? newCircus() : load(file)),
    setGlobalsForRuntime: (globals: Globals) => setGlobals({ ...globals, jest: mocksOf(mocker, timers) }),
    unstable_shouldLoadAsEsm: () => true,
    unstable_importModule: importAnew,
  };
  try {
    return await runWithCircus(globalConfig, config, environment, Object.assign(Object.create(runtime), loading), testPath, ...more);
  } finally {
    mocker.restoreAllMocks();
    timers.useRealTimers();
    for (const name of Object.keys(process.env)) if (!(name in env)) delete process.env[name];
    Object.assign(process.env, env);
  }
}

/** A file that ran in this worker already, in watch mode, is another module under another URL. */
function importAnew(file: string): Promise<unknown> {
  const url = pathToFileURL(file);
  if (imported.has(file)) url.searchParams.set('run', String(++again));
  imported.add(file);
  return import(url.href);
}

/** What tests use of jest's own object. */
function mocksOf(mocker: ModuleMocker, timers: ModernFakeTimers): Globals['jest'] {
  return {
    spyOn: mocker.spyOn.bind(mocker) as Globals['jest']['spyOn'],
    restoreAllMocks: () => mocker.restoreAllMocks(),
    useFakeTimers: (options) => timers.useFakeTimers(options),
    useRealTimers: () => timers.useRealTimers(),
    advanceTimersByTime: (ms) => timers.advanceTimersByTime(ms),
  };
}

/** A copy without the tests of the file before. */
function newCircus(): unknown {
  delete load.cache[circus];
  delete (globalThis as Record<symbol, unknown>)[circusHandlers];
  return load(circus);
}
