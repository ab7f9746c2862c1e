/**
 * Installs the dependencies when they are missing or older than package-lock.json. npm runs it before
 * every command of package.json, so a new clone needs no separate step. It runs on any Node (20 or later)
 * of the machine and uses only built-in modules; the `node` package that it installs is the Node of
 * everything that follows.
 */
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../', import.meta.url));
const modules = path.join(root, 'node_modules');
const stampFile = path.join(modules, '.install-stamp');
const nodeMajorMin = 20;

if (Number(process.versions.node.split('.')[0]) < nodeMajorMin) {
  refuse(`Node ${nodeMajorMin} or later is needed; this is Node ${process.versions.node}.`);
}
const patches = path.join(root, 'patches');
const patchFiles = existsSync(patches) ? readdirSync(patches).sort() : [];
const wanted = hashOf([path.join(root, 'package-lock.json'), ...patchFiles.map((file) => path.join(patches, file))]);
if (!isInstalled() && isProduction()) {
  refuse(
    'These are the packages of production (npm ci --omit=dev), and processes may run on them: call node directly, such as node apps/gateway/src/run.ts store. For development, remove node_modules first.',
  );
}
if (!isInstalled()) install();
if (patchFiles.length > 0 && readStamp() !== wanted) patch();
stamp();

function hashOf(files) {
  const hash = createHash('sha256');
  for (const file of files) hash.update(readFileSync(file));
  return hash.digest('hex');
}

/** The stamp is a hash, not a date: a checkout touches package-lock.json without changing it. */
function isInstalled() {
  if (!existsSync(path.join(modules, '.bin', process.platform === 'win32' ? 'node.cmd' : 'node'))) return false;
  return readStamp() === wanted || installedByHand();
}

function readStamp() {
  return existsSync(stampFile) ? readFileSync(stampFile, 'utf8') : '';
}

/** `npm install` and `npm ci` leave their own record; one that is newer than the lock file is up to date. */
function installedByHand() {
  const record = path.join(modules, '.package-lock.json');
  return existsSync(record) && statSync(record).mtimeMs >= statSync(path.join(root, 'package-lock.json')).mtimeMs;
}

/** npm's record of what it installed lacks the packages that only development needs. */
function isProduction() {
  const record = path.join(modules, '.package-lock.json');
  return existsSync(record) && !('node_modules/node' in JSON.parse(readFileSync(record, 'utf8')).packages);
}

/** Installs exactly what package-lock.json says, without packages' scripts; then runs those that are allowed. */
function install() {
  say('Installing dependencies with npm ci: one to three minutes the first time …');
  run(
    ['ci', '--include=dev', '--ignore-scripts'],
    'npm ci failed with the message above: check the network and the registry, then run this again.',
  );
  for (const name of packagesWithScripts()) {
    say(`Running the install script of ${name} …`);
    run(['rebuild', '--ignore-scripts=false', name], 'npm rebuild failed with the message above.');
  }
  say('Dependencies are installed.');
}

/** Applies the files of `patches` to the installed packages; one that is applied already is left as it is. */
function patch() {
  const command = [path.join(modules, 'patch-package', 'index.js'), '--error-on-fail'];
  const { status } = spawnSync(process.execPath, command, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] });
  if (status !== 0) refuse('A file of patches/ could not be applied, see above: run npm ci, then this again.');
}

/**
 * `allowScripts` of package.json, which npm 10 does not support, for the packages of this platform. `node` comes last:
 * without it the next run starts again.
 */
function packagesWithScripts() {
  const { allowScripts } = JSON.parse(readFileSync(path.join(root, 'package.json'), 'utf8'));
  const allowed = Object.keys(allowScripts).filter((name) => allowScripts[name] === true && existsSync(path.join(modules, name)));
  return allowed.sort((a, b) => Number(a === 'node') - Number(b === 'node'));
}

function run(command, failure) {
  const result = npm(command);
  if (result.error) refuse(`npm could not be run (${result.error.message}): is it on the PATH?`);
  if (result.signal) process.exit(130);
  if (result.status !== 0) refuse(failure);
}

/** npm ci replaces node_modules, so npm must not itself run on the Node that lives there. */
function npm(command) {
  const outside = (process.env.PATH ?? '').split(path.delimiter).filter((folder) => !folder.includes('node_modules'));
  return spawnSync('npm', [...command, '--no-audit', '--no-fund', '--loglevel=error'], {
    cwd: root,
    // npm's output must not mix with the output of the script that runs next.
    stdio: ['ignore', 'ignore', 'inherit'],
    shell: process.platform === 'win32',
    env: { ...process.env, PATH: outside.join(path.delimiter) },
  });
}

function stamp() {
  if (readStamp() === wanted) return;
  try {
    writeFileSync(stampFile, wanted);
  } catch (error) {
    refuse(`${stampFile} cannot be written (${error.code}): the folder must belong to the user who runs this.`);
  }
}

/** Not on standard output, where the command that follows may write a file: npm run --silent secrets -- --kubernetes > file. */
function say(sentence) {
  process.stderr.write(`${sentence}\n`);
}

function refuse(sentence) {
  say(sentence);
  process.exit(1);
}
