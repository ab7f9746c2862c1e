/**
 * `npm run app -- catalog`: one app as a process of its own, with its commands. On any Node: one that cannot run TypeScript
 * is refused in a sentence, where `node apps/catalog/src/run.ts` would fail by an unknown file extension.
 */
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

/** The first Node that runs TypeScript without a flag or a warning. */
const least = [24, 12];

/** The sentence for a Node that is too old; undefined when it is not. */
export function tooOld(version) {
  const [major, minor] = version.split('.').map(Number);
  if (major > least[0] || (major === least[0] && minor >= least[1])) return undefined;
  return `Node ${least.join('.')} or later is needed; this is Node ${version}. npm run app -- <app> runs the one in node_modules.`;
}

async function main([app = '', ...args]) {
  const refusal = tooOld(process.versions.node);
  if (refusal) return refusal;
  const file = fileURLToPath(new URL(`../../apps/${app}/src/run.ts`, import.meta.url));
  if (!/^[a-z]+$/.test(app) || !existsSync(file)) return `There is no app ${app}: name one of the folders in apps/.`;
  process.argv = [process.execPath, file, ...args];
  await import(file);
  return undefined;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const sentence = await main(process.argv.slice(2));
  if (sentence) {
    process.stderr.write(`${sentence}\n`);
    process.exitCode = 1;
  }
}
