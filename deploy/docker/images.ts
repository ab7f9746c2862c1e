/** `npm run images`: builds each app's image with buildah, where no engine and no registry of images is needed; `--check` starts them. */
import { mkdirSync, rmSync } from 'node:fs';
import path from 'node:path';
import { appNames } from '@store/contract';
import { Command } from 'commander';
import { CannotStart } from '../../tools/local/cannot-start.ts';
import { repository } from '../../tools/local/data-dir.ts';
import { type Base, baseImage } from './base-image.ts';
import { type Built, buildImage } from './build-image.ts';
import { whyNot } from './buildah.ts';
import { checkImages } from './check-images.ts';

interface Options {
  check?: true;
  only?: string;
  base?: string;
}

const command = new Command('npm run images --')
  .description('Builds the image of each app as localhost/store-<app>, with buildah.')
  .option('--check', 'start them on PostgreSQL, Redis and Kafka of this machine, and ask whether they are ready')
  .option('--only <apps>', 'these apps alone, separated by commas')
  .option('--base <image@digest>', 'a base image with Node and npm, in place of one made here by debootstrap')
  .parse();

const startedAt = performance.now();
const say = (line: string) => process.stdout.write(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${line}\n`);

try {
  await images(command.opts<Options>());
} catch (error) {
  if (!(error instanceof CannotStart)) throw error;
  process.stderr.write(`${error.message}\n`);
  process.exitCode = 1;
}

async function images({ check, only, base: given }: Options): Promise<void> {
  const apps = chosen(only);
  const problem = whyNot(given ? ['buildah'] : ['buildah', 'debootstrap']);
  if (problem) throw new CannotStart(problem);
  const dir = path.join(repository, '.cache/images');
  const logFile = path.join(dir, 'buildah.log');
  mkdirSync(dir, { recursive: true });
  rmSync(logFile, { force: true });
  const base = given ? named(given) : baseImage(dir, logFile, say);
  const built = new Map<string, Built>();
  for (const app of apps) {
    say(`${app} (${built.size + 1} of ${apps.length}): building`);
    built.set(app, buildImage(app, base, logFile));
  }
  if (check) say('starting them on PostgreSQL, Redis and Kafka');
  const ready = check && (await checkImages(new Map([...built].map(([app, { image }]) => [app, image])), dir, say));
  for (const [app, { image, megabytes, packages }] of built) {
    const state = ready ? `, ready after ${(ready.get(app)! / 1000).toFixed(1)} s` : '';
    say(`${image}: ${megabytes} MB, ${packages} packages${state}`);
  }
}

function chosen(only: string | undefined): string[] {
  if (only === undefined) return appNames;
  const names = only.split(',');
  const unknown = names.find((name) => !(appNames as string[]).includes(name));
  if (unknown !== undefined) throw new CannotStart(`There is no app ${unknown}; the apps are ${appNames.join(', ')}.`);
  return names;
}

function named(base: string): Base {
  const [image, digest] = base.split('@');
  if (!image || !digest?.startsWith('sha256:')) throw new CannotStart('--base names an image by its digest: node@sha256:…');
  return { image, digest };
}
