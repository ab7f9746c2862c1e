/** The client generators that the guides name: how each is had, makes a client, and runs a program with it. */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { repository } from '../../tools/local/data-dir.ts';

export interface Generator {
  name: string;
  /** The sku of the program's products begins with it. */
  prefix: string;
  /** Makes the client from openapi.json in the folder, and prepares the program; each ends without an error. */
  steps(folder: string): string[][];
  program(folder: string): string[];
}

const sources = path.join(repository, 'tests/docs/generators');
const toolFolder = path.join(repository, '.cache/generators');
const installMs = 300_000;

const inBin = (folder: string, name: string) => path.join(folder, 'node_modules/.bin', name);

export const generators: Record<'typescript' | 'python' | 'go', Generator> = {
  typescript: {
    name: 'openapi-typescript',
    prefix: 'ts',
    steps: (folder) => [
      [inBin(folder, 'openapi-typescript'), 'openapi.json', '--default-non-nullable', 'false', '-o', 'client.d.ts'],
      [
        inBin(folder, 'tsc'),
        ...['--strict', '--skipLibCheck', '--module', 'esnext', '--target', 'es2022', '--moduleResolution', 'bundler', 'program.ts'],
      ],
    ],
    program: () => [process.execPath, 'program.js'],
  },
  python: {
    name: 'openapi-python-client',
    prefix: 'py',
    steps: () => [
      [
        'venv/bin/openapi-python-client',
        'generate',
        '--path',
        'openapi.json',
        '--meta',
        'none',
        '--output-path',
        'store_developer_api_client',
        '--overwrite',
        '--fail-on-warning',
      ],
      ['venv/bin/python', '-m', 'compileall', '-q', 'store_developer_api_client'],
    ],
    program: () => ['venv/bin/python', 'program.py'],
  },
  go: {
    name: 'oapi-codegen',
    prefix: 'go',
    steps: () => [
      ['bin/oapi-codegen', '-config', 'oapi-codegen.yaml', 'openapi.json'],
      ['go', 'mod', 'tidy'],
      ['go', 'vet', './...'],
      ['go', 'build', '-o', 'bin/program', '.'],
    ],
    program: () => ['bin/program'],
  },
};

const installs: Record<keyof typeof generators, string[][]> = {
  typescript: [['npm', 'ci', '--ignore-scripts', '--no-audit', '--no-fund', '--prefer-offline', '--loglevel=error']],
  python: [
    ['python3', '-m', 'venv', 'venv'],
    ['venv/bin/pip', 'install', '--quiet', '--disable-pip-version-check', '-r', 'requirements.txt'],
  ],
  go: [['go', 'install', 'github.com/oapi-codegen/oapi-codegen/v2/cmd/oapi-codegen@v2.8.2']],
};

/** The file that exists once a tool is installed. */
const installed: Record<keyof typeof generators, string> = {
  typescript: 'node_modules/.bin/openapi-typescript',
  python: 'venv/bin/openapi-python-client',
  go: 'bin/oapi-codegen',
};

/** The folder in which the generator works, with its tool; or why it cannot be had. */
export async function toolOf(language: keyof typeof generators): Promise<{ folder: string; missing?: string }> {
  const folder = path.join(toolFolder, language);
  mkdirSync(folder, { recursive: true });
  cpSync(path.join(sources, language), folder, { recursive: true });
  if (existsSync(path.join(folder, installed[language]))) return { folder };
  for (const command of installs[language]) {
    const { status, output } = await run(command, folder, { GOBIN: path.join(folder, 'bin') });
    if (status !== 0)
      return { folder, missing: `${generators[language].name} cannot be installed here: ${output.trim().split('\n').at(-1)}` };
  }
  return { folder };
}

export async function run(
  command: string[],
  cwd: string,
  env: Record<string, string> = {},
): Promise<{ status: number | null; output: string }> {
  const bins = ['venv/bin', 'bin'].map((name) => path.join(cwd, name));
  const child = spawn(command[0]!, command.slice(1), {
    cwd,
    timeout: installMs,
    env: { ...process.env, ...env, PATH: [...bins, process.env.PATH].join(path.delimiter) },
  });
  let output = '';
  const take = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const failed = once(child, 'error').then(([error]) => ({ status: null, output: String(error) }));
  return Promise.race([once(child, 'close').then(([status]) => ({ status: status as number | null, output })), failed]);
}
