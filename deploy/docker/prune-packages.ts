/**
 * `node prune-packages.ts <app>` in an image that is built: removes what npm has installed and the app does not need. npm omits a
 * development package of the app only when no other workspace needs it to run: the image of the gateway had ajv, which its tests use.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { Lock } from '../../tools/dev/lock.ts';
import { productionPackages } from '../../tools/dev/production-packages.ts';

/** `root`: where package-lock.json and node_modules are. Returns the places that were removed. */
function prunePackages(root: string, app: string): string[] {
  const lock = JSON.parse(readFileSync(path.join(root, 'package-lock.json'), 'utf8')) as Lock;
  const file = path.join(root, 'node_modules/.package-lock.json');
  const installed = JSON.parse(readFileSync(file, 'utf8')) as Lock;
  const needed = productionPackages(lock, app);
  const isNeeded = (place: string) =>
    installed.packages[place]!.link ||
    !place.includes('node_modules/') ||
    needed.some((one) => one === place || one.startsWith(`${place}/`));
  const removed = Object.keys(installed.packages).filter((place) => !isNeeded(place));
  for (const place of removed) {
    rmSync(path.join(root, place), { recursive: true, force: true });
    delete installed.packages[place];
  }
  writeFileSync(file, JSON.stringify(installed, null, 2));
  return removed;
}

if (process.argv[1] === import.meta.filename) console.log(prunePackages('.', process.argv[2]!).join('\n'));
