/**
 * The allowed dependencies. Apps import only libs and the protos' types, never each other; libs form the DAG
 * protos ← {rpc, service}, shares ← {rpc, db}, problem ← {contract, input}, contract ← rpc, problem ← db,
 * {contract, rpc, db} ← events ← service ← testbed, contract ← openapi ← docs-site. The graph is nx's, from the package.json files; that each import is declared there is checked beside it.
 * Within an app no two folders import each other, so that each can be read after those that it needs.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { repository } from '../local/data-dir.ts';

/** What each lib may import, and no more. */
const libMayImport: Record<string, string[]> = {
  problem: [],
  verify: [],
  client: ['verify'],
  mcp: ['client'],
  contract: ['problem'],
  input: ['problem'],
  openapi: ['contract', 'problem'],
  'docs-site': ['contract', 'openapi'],
  shares: [],
  rpc: ['contract', 'problem', 'protos', 'shares'],
  db: ['problem', 'shares'],
  events: ['contract', 'db', 'problem', 'rpc'],
  service: ['contract', 'db', 'events', 'input', 'problem', 'protos', 'rpc'],
  testbed: ['contract', 'db', 'events', 'input', 'problem', 'rpc', 'service', 'shares'],
};

/** The lib of tests, and of the tools that start the product on one machine. */
const testLib = 'libs/testbed';

/** The one lib that may import the Kafka client, so that it stays replaceable. */
const kafkaLib = 'libs/events';

/** The one app that runs in a browser. */
const builtApp = 'apps/admin';

/**
 * Pairs of folders that import each other all the same, by app, each with its reason. The files beside the folders may import any of them.
 */
const circlesAllowed: Record<string, string> = {
  'catalog: brands, products': 'a product refers to its brand, and a new name of the brand is written to its products',
  'catalog: categories, products': 'a product refers to its categories, whose prices and names it shows',
  'customers: customers, loyalty-tiers': 'a new customer gets the tier that ranks it, and ranking announces the customer',
  'customers: loyalty, loyalty-rewards': 'a reward is redeemed for points, and shown by what a customer has',
  'customers: loyalty, sales': 'points of a sale are added in the statement that counts it',
  'gateway: key-gate, keys': 'the gate keeps records of keys, and a key is shown with what the gate counted',
  'gateway: keys, stores': 'a key is read with its store, and a change of the store changes what is known of its keys',
  'gateway: settings, stores': 'settings are columns of the store, and a new store begins with them',
  'gateway: staff, stores': 'a session is read with its store, and a new store begins with one member of staff',
  'inventory: products, stock-adjustments': 'an adjustment asks for its product, and a bulk update writes the ledger',
  'inventory: stock-adjustments, stock-reconciliations': 'a line of the ledger refers to its reconciliation, which writes the ledger',
  'inventory: stock-adjustments, warehouse-locations': 'a line of the ledger refers to its location, which is locked with the product',
  'purchasing: order-lines, purchase-orders': 'an order and its lines are one record in two tables',
  'sales: cash-drawer-sessions, sales': 'a sale is rung up in a drawer, whose cash is summed as sales are',
};

interface Graph {
  nodes: Record<string, { data: { root: string } }>;
  dependencies: Record<string, { target: string }[]>;
}

export function boundaryFaults(): string[] {
  const graph = readGraph();
  const roots = Object.values(graph.nodes).map(({ data }) => data.root);
  return [...edgeFaults(graph), ...roots.flatMap(importFaults), ...circleFaults(roots)];
}

function readGraph(): Graph {
  const folder = mkdtempSync(path.join(tmpdir(), 'graph-'));
  try {
    const file = path.join(folder, 'graph.json');
    const result = spawnSync(path.join(repository, 'node_modules/.bin/nx'), ['graph', `--file=${file}`], {
      cwd: repository,
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
function importFaults(project: string): string[] {
  const manifest = path.join(repository, project, 'package.json');
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
  return sources(path.join(repository, project)).flatMap((file) => {
    const inTest = project === testLib || /(\.test(ing)?\.ts|\/test\/.*)$/.test(file);
    const shown = path.relative(repository, file);
    return importsOf(readFileSync(file, 'utf8')).flatMap((specifier) => {
      if (specifier.startsWith('.')) {
        const target = path.resolve(path.dirname(file), specifier);
        return target.startsWith(path.join(repository, project)) ? [] : [`${shown} reaches out of its package: ${specifier}`];
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

function circleFaults(projects: string[]): string[] {
  const circles = projects.filter((project) => project.startsWith('apps/')).flatMap((project) => circlesOf(path.join(repository, project)));
  return [
    ...circles.filter((circle) => !(circle in circlesAllowed)).map((circle) => `two folders of an app import each other: ${circle}`),
    ...Object.keys(circlesAllowed)
      .filter((circle) => !circles.includes(circle))
      .map((circle) => `${circle} import each other no more: take them off the list in tools/dev/boundaries.ts`),
  ];
}

/** Pairs of folders of one app that import each other, as `app: one, other`. Tests may import what they like. */
export function circlesOf(app: string): string[] {
  const start = path.join(app, 'src');
  const folderOf = (file: string) => /^([^/]+)\//.exec(path.relative(start, file).replaceAll(path.sep, '/'))?.[1];
  const edges = new Set<string>();
  for (const file of sources(app).filter((name) => !/\.test(ing)?\.tsx?$/.test(name))) {
    for (const specifier of importsOf(readFileSync(file, 'utf8')).filter((name) => name.startsWith('.'))) {
      const [from, to] = [folderOf(file), folderOf(path.resolve(path.dirname(file), specifier))];
      if (from && to && from !== to && from !== '..' && to !== '..') edges.add(`${from}, ${to}`);
    }
  }
  const isCircle = (edge: string) => {
    const [from, to] = edge.split(', ') as [string, string];
    return from < to && edges.has(`${to}, ${from}`);
  };
  return [...edges].filter(isCircle).map((edge) => `${path.basename(app)}: ${edge}`);
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
