/**
 * The allowed dependencies. Apps import only libs and the protos' types, never each other; libs form the DAG
 * protos ← {rpc, service}, shares ← {rpc, db}, problem ← {contract, input}, contract ← rpc, problem ← db,
 * {contract, rpc, db} ← events ← service ← testbed. The graph is nx's, from the package.json files; that each import is declared there is checked beside it.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

/** What each lib may import, and no more. */
const libMayImport: Record<string, string[]> = {
  problem: [],
  verify: [],
  client: ['verify'],
  mcp: ['client'],
  contract: ['problem'],
  input: ['problem'],
  shares: [],
  rpc: ['contract', 'problem', 'protos', 'shares'],
  db: ['problem', 'shares'],
  events: ['contract', 'db', 'problem', 'rpc'],
  service: ['contract', 'db', 'events', 'input', 'problem', 'protos', 'rpc'],
  testbed: ['contract', 'db', 'events', 'input', 'problem', 'rpc', 'service'],
};

/** The lib that tests alone use. */
const testLib = 'libs/testbed';

/** The one lib that may import the Kafka client, so that it stays replaceable. */
const kafkaLib = 'libs/events';

/** The one app that runs in a browser. */
const builtApp = 'apps/admin';

interface Graph {
  nodes: Record<string, { data: { root: string } }>;
  dependencies: Record<string, { target: string }[]>;
}

export function boundaryFaults(root: string): string[] {
  const graph = readGraph(root);
  return [...edgeFaults(graph), ...Object.values(graph.nodes).flatMap(({ data }) => importFaults(root, data.root))];
}

function readGraph(root: string): Graph {
  const folder = mkdtempSync(path.join(tmpdir(), 'graph-'));
  try {
    const file = path.join(folder, 'graph.json');
    const result = spawnSync(path.join(root, 'node_modules/.bin/nx'), ['graph', `--file=${file}`], {
      cwd: root,
      encoding: 'utf8',
      env: { ...process.env, NX_DAEMON: 'false', NX_NO_CLOUD: 'true' },
    });
    if (result.status !== 0) throw new Error(`nx graph failed: ${result.stderr}${result.stdout}`);
    return (JSON.parse(readFileSync(file, 'utf8')) as { graph: Graph }).graph;
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}

/** Faults of the edges alone, so that a test can pass in a graph. */
export function edgeFaults(graph: Graph): string[] {
  return Object.entries(graph.dependencies).flatMap(([source, edges]) => {
    const from = graph.nodes[source]!.data.root;
    if (/^(deploy|tests|tools)\//.test(from)) return [];
    return edges
      .filter(({ target }) => graph.nodes[target] !== undefined && !mayImport(from, graph.nodes[target].data.root))
      .map(({ target }) => `${from} may not depend on ${graph.nodes[target]!.data.root}`);
  });
}

function mayImport(from: string, to: string): boolean {
  if (!to.startsWith('libs/') && to !== 'protos') return false;
  if (from.startsWith('apps/')) return true;
  return libMayImport[path.basename(from)]?.includes(path.basename(to)) ?? false;
}

/** Only names may be between `import` and `from`: SQL in an exported function has its own `from '…'`. */
const importPattern = /^\s*(?:import|export)\s[\w\s$,{}*]*?\bfrom\s+'([^']+)'|^\s*import\s+'([^']+)'|\bimport\('([^']+)'\)/gms;
/** Tests may use the root's packages and the testbed, which no package's own code needs. */
const allowedInTests = new Set(['@jest/globals', 'fast-check', 'pg', '@store/testbed']);

/** Every import of a package is declared in its own package.json, or nx misses the edge; no import reaches into another folder. */
function importFaults(root: string, project: string): string[] {
  const manifest = path.join(root, project, 'package.json');
  if (!existsSync(manifest)) return [];
  const {
    name: own,
    dependencies = {},
    devDependencies = {},
  } = JSON.parse(readFileSync(manifest, 'utf8')) as {
    name: string;
    dependencies?: Record<string, string>;
    devDependencies?: Record<string, string>;
  };
  // Built into files: at run time it needs no package, so it has only development dependencies.
  const declared = project === builtApp ? devDependencies : dependencies;
  return sources(path.join(root, project)).flatMap((file) => {
    const inTest = project === testLib || /(\.test(ing)?\.ts|\/test\/.*)$/.test(file);
    const shown = path.relative(root, file);
    return importsOf(readFileSync(file, 'utf8')).flatMap((specifier) => {
      if (specifier.startsWith('.')) {
        const target = path.resolve(path.dirname(file), specifier);
        return target.startsWith(path.join(root, project)) ? [] : [`${shown} reaches out of its package: ${specifier}`];
      }
      const name = specifier
        .split('/')
        .slice(0, specifier.startsWith('@') ? 2 : 1)
        .join('/');
      if (name === 'kafkajs' && project !== kafkaLib) return [`${shown} imports kafkajs; only ${kafkaLib} may`];
      if (specifier.startsWith('node:') || builtinModules.includes(name) || name === own || name in declared) return [];
      return inTest && (allowedInTests.has(name) || name in devDependencies)
        ? []
        : [`${shown} imports ${name}, which ${project}/package.json does not declare`];
    });
  });
}

export function importsOf(source: string): string[] {
  return [...source.matchAll(importPattern)].map((match) => match[1] ?? match[2] ?? match[3]!);
}

function sources(folder: string): string[] {
  return ['src', 'test', 'gen'].flatMap((part) => {
    const start = path.join(folder, part);
    if (!existsSync(start)) return [];
    return readdirSync(start, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name))
      .map((name) => path.join(start, name));
  });
}
