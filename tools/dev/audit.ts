/**
 * The registry's information on the installed packages: known vulnerabilities, and signatures over the downloads. A
 * registry without an answer (a mirror, no network) is not a failure: the step is then skipped with a message.
 */
import { spawn } from 'node:child_process';

export interface Finding {
  faults: string[];
  /** Why there is no answer. */
  skipped?: string;
}

export interface Answer {
  stdout: string;
  isTooLate: boolean;
}

/** A check must not wait longer for a registry than it takes itself. */
const answerWithinMs = 10_000;
const readMs = 200;

interface Vulnerability {
  severity: string;
  range: string;
}

interface Unsigned {
  name: string;
  version: string;
}

/** `npm audit`: severities below high do not fail the check. */
export async function auditAdvisories(root: string, withinMs = answerWithinMs): Promise<Finding> {
  return advisoriesOf(await npm(root, ['audit', '--json', '--audit-level=high'], withinMs));
}

/** `npm audit signatures`. */
export async function auditSignatures(root: string, withinMs = answerWithinMs): Promise<Finding> {
  return signaturesOf(await npm(root, ['audit', 'signatures', '--json'], withinMs));
}

const grave = new Set(['high', 'critical']);

export function advisoriesOf(answer: Answer): Finding {
  const said = parsed<{ vulnerabilities?: Record<string, Vulnerability> }>(answer);
  if (!said?.vulnerabilities) return noAnswer('npm audit', answer);
  const found = Object.entries(said.vulnerabilities).filter(([, { severity }]) => grave.has(severity));
  return { faults: found.map(([name, { severity, range }]) => `${name} ${range} has a vulnerability of severity ${severity}`) };
}

export function signaturesOf(answer: Answer): Finding {
  const said = parsed<{ invalid?: Unsigned[]; missing?: Unsigned[] }>(answer);
  if (!said?.invalid || !said.missing) return noAnswer('npm audit signatures', answer);
  return {
    faults: [
      ...said.invalid.map(({ name, version }) => `${name}@${version} is not what its registry signed`),
      ...said.missing.map(({ name, version }) => `${name}@${version} has no signature, though its registry signs`),
    ],
  };
}

function noAnswer(command: string, { isTooLate }: Answer): Finding {
  return {
    faults: [],
    skipped: `the registry ${isTooLate ? 'does not answer' : 'cannot answer'} ${command}${isTooLate ? ' in time' : ''}`,
  };
}

function parsed<T>({ stdout, isTooLate }: Answer): T | undefined {
  if (isTooLate) return undefined;
  try {
    return JSON.parse(stdout) as T;
  } catch (error) {
    if (error instanceof SyntaxError) return undefined;
    throw error;
  }
}

function npm(root: string, args: string[], withinMs: number): Promise<Answer> {
  return new Promise((resolve, reject) => {
    const child = spawn('npm', args, {
      cwd: root,
      stdio: ['ignore', 'pipe', 'ignore'],
      shell: process.platform === 'win32',
      env: process.env,
    });
    let stdout = '';
    let isTooLate = false;
    const giveUp = () => {
      isTooLate = true;
      child.kill('SIGKILL');
    };
    // The other steps block this process: an answer that arrived meanwhile is read before the timeout counts.
    let timer = setTimeout(() => {
      timer = setTimeout(giveUp, readMs);
    }, withinMs);
    child.stdout.on('data', (bytes: Buffer) => {
      stdout += bytes.toString();
    });
    child.once('error', reject);
    child.once('close', () => {
      clearTimeout(timer);
      resolve({ stdout, isTooLate });
    });
  });
}
