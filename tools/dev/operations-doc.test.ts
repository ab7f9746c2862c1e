/** docs/operations is followed at night, command by command: whatever a command there names must exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from '@jest/globals';
import { appNames, serviceNames } from '@store/contract';
import { repository } from '../local/data-dir.ts';

const read = (file: string) => readFileSync(path.join(repository, file), 'utf8');
const page = readdirSync(path.join(repository, 'docs/operations'))
  .map((file) => read(`docs/operations/${file}`))
  .join('\n');
const matches = (pattern: RegExp): string[][] => [...page.matchAll(pattern)].map((match) => match.slice(1));

test('every npm run is a command of package.json', () => {
  const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
  const named = matches(/npm run (?:--silent )?([a-z]+(?::[a-z]+)?)/g).map(([name]) => name!);
  expect(named.length).toBeGreaterThan(20);
  expect(named.filter((name) => !(name in scripts))).toEqual([]);
});

test('every command of an app is one of that app', () => {
  const ofEvery = read('libs/service/src/command.ts') + read('libs/service/src/run.ts');
  const commands = matches(/apps\/([a-z]+)\/src\/run\.ts ([a-z]+(?:-[a-z]+)*)/g);
  expect(commands.length).toBeGreaterThan(5);
  const has = (text: string, name: string) => new RegExp(`[\\s{]'?${name}'?: async`).test(text);
  const missing = commands.filter(([app, name]) => !has(ofEvery, name!) && !has(read(`apps/${app}/src/run.ts`), name!));
  expect(missing).toEqual([]);
});

test('the manifests have the folders, Jobs and Deployments that documents ask for', () => {
  const folders = matches(/deploy\/k8s\/own\/(production(?:\/[a-z]+)?)/g).map(([folder]) => folder!);
  expect(folders.filter((folder) => !existsSync(path.join(repository, 'deploy/k8s/overlays', folder)))).toEqual([]);
  const names = ['roles', 'topics', 'webhooks-raise-sequences', ...appNames.flatMap((app) => [app, `${app}-relay`, `${app}-migration`])];
  const asked = matches(/ (?:job|deployment|deploy)\/([a-z-]+)\b(?![/.])/g).map(([name]) => name!);
  expect(asked.length).toBeGreaterThan(5);
  expect(asked.filter((name) => !names.includes(name))).toEqual([]);
});

test('an upgrade replaces webhooks, then each app before its callers; undone backwards', () => {
  const loops = (file: string) => [...read(file).matchAll(/for app in ([a-z]+(?: [a-z]+){6}); do/g)].map(([, list]) => list!.split(' '));
  const [upgrade, rollback] = loops('docs/operations/run.md');
  expect(loops('docs/operations/compose.md')).toEqual([upgrade]);
  expect(upgrade).toEqual(['webhooks', ...serviceNames.filter((app) => app !== 'webhooks'), 'gateway']);
  expect(rollback).toEqual(upgrade!.toReversed());
});
