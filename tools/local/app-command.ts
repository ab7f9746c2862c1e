/**
 * `npm run store` and `npm run redrive`: a command of an app, on the database of DATABASE_URL or on the one that a running
 * `npm start` uses. `store` is the gateway's, but for `demo-key`, which asks a running demo store; `--app` names the app that is to
 * redrive.
 */
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { parseArgs } from 'node:util';
import { appNames } from '@store/contract';
import { demoKeyCommand } from '../demo/demo-key-command.ts';
import { CannotStart } from './cannot-start.ts';
import { dataDir, readJson, runFile } from './data-dir.ts';

const [command = '', ...given] = process.argv.slice(2);
try {
  if (command === 'store' && given[0] === 'demo-key') await demoKeyCommand(given.slice(1));
  else await runApp();
} catch (error) {
  console.error(error instanceof CannotStart ? error.message : error);
  process.exitCode = 1;
}

async function runApp(): Promise<void> {
  if (command === 'store' && given.includes('--help'))
    console.log('Also here: demo-key, another key of the demo store (demo-key --help)\n');
  const { app, args } = command === 'store' ? { app: 'gateway', args: given } : appOf(given);
  const url = process.env.DATABASE_URL ?? readJson<{ url: string }>(path.join(dataDir(), 'postgres.json'))?.url;
  const file = runFile(app);
  if (url !== undefined) process.env.DATABASE_URL = url;
  // In this process, as if it had been started with the command: a second one would load all of it again.
  process.argv = [process.execPath, file, command, ...args];
  await import(pathToFileURL(file).href);
}

function appOf(given: string[]): { app: string; args: string[] } {
  const { values, tokens } = parseArgs({ args: given, options: { app: { type: 'string' } }, strict: false, tokens: true });
  const app = String(values.app);
  if (!(appNames as string[]).includes(app)) throw new CannotStart(`Name an app by --app: it must be one of ${appNames.join(', ')}.`);
  const named = tokens.find((token) => token.kind === 'option' && token.name === 'app')!;
  const words = named.kind === 'option' && named.inlineValue ? 1 : 2;
  return { app, args: given.filter((_, index) => index < named.index || index >= named.index + words) };
}
