/** `npm run store -- demo-key`: another key of a running demo store, for trying scopes, Test Mode and limits. */
import path from 'node:path';
import { scopes as everyScope } from '@store/contract';
import { Command, InvalidArgumentError } from 'commander';
import { CannotStart } from '../local/cannot-start.ts';
import { dataDir, readJson } from '../local/data-dir.ts';
import { wholeNumber } from '../local/whole-number.ts';
import { staffClient } from './client.ts';
import type { DemoFile } from './demo-store.ts';

interface Options {
  scopes: string[];
  testMode?: boolean;
  rateLimit: number;
  name: string;
  secondStore?: boolean;
  json?: boolean;
}

const limitMax = 1_000;

export async function demoKeyCommand(args: string[]): Promise<void> {
  const program = new Command('npm run store -- demo-key')
    .description('Makes another key of the demo store that a running npm start serves, and prints it.')
    .requiredOption('--scopes <list>', `separated by commas; all, read or write mean several (${everyScope.join(', ')})`, scopesOf)
    .option('--test-mode', 'a key that may only read')
    .option('--rate-limit <n>', 'requests a minute', wholeNumber(1, limitMax), 60)
    .option('--name <name>', 'name of the key', 'Trial key')
    .option('--second-store', 'a key of the second demo store')
    .option('--json', 'print {"id": 1, "key": "…", …}')
    .showHelpAfterError('(--help shows what there is)')
    .action(make);
  await program.parseAsync(args, { from: 'user' });
}

async function make({ scopes, testMode, rateLimit, name, secondStore, json }: Options): Promise<void> {
  const demo = readJson<DemoFile>(path.join(dataDir(), 'demo.json'));
  if (!demo) throw new CannotStart('No demo store is known: run npm start in another terminal.');
  const wanted = { name, scopes, rate_limit: rateLimit, test_mode: testMode ?? false };
  const created = await staffClient(demo.base_url, secondStore ? demo.second_store.staff : demo.staff)
    .then((staff) => staff.post<{ api_key: { id: number }; key: string }>('/api_keys', { api_key: wanted }))
    .catch((cause: Error) => {
      const why = cause instanceof TypeError ? 'does not answer: run npm start in another terminal.' : `refused it: ${cause.message}`;
      throw new CannotStart(`The demo store at ${demo.base_url} ${why}`, { cause });
    });
  if (json) console.log(JSON.stringify({ id: created.api_key.id, key: created.key, ...wanted }));
  else console.log(`${created.key}\n${describe(wanted)}`);
}

const describe = ({ scopes, rate_limit, test_mode }: { scopes: string[]; rate_limit: number; test_mode: boolean }) =>
  `${test_mode ? 'Test Mode, ' : ''}${rate_limit} requests a minute (60 until its first one), ${scopes.join(', ')}`;

function scopesOf(text: string): string[] {
  const named = text.split(',').flatMap((part): string[] => {
    const name = part.trim();
    if (name === 'all') return [...everyScope];
    if (name === 'read' || name === 'write') return everyScope.filter((scope) => scope.endsWith(`:${name}`));
    return name === '' ? [] : [name];
  });
  const unknown = named.filter((name) => !(everyScope as readonly string[]).includes(name));
  if (unknown.length > 0) throw new InvalidArgumentError(`${unknown.join(', ')} is no scope.`);
  if (named.length === 0) throw new InvalidArgumentError('At least one scope is needed.');
  return [...new Set(named)];
}
