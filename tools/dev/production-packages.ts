/**
 * The packages that `npm ci --omit=dev --workspace=<app>` installs for an app, from package-lock.json alone. npm omits
 * development packages, but not what a workspace needs that is itself only a development dependency: a test library among the
 * dependencies of such a workspace ends in every image.
 */
import { type Lock, placeOf } from './lock.ts';

/**
 * What a package declares and this product never loads: commands, types, and other platforms. The images leave them out, and a
 * test loads every app without them.
 */
export const neverLoaded: Record<string, string[]> = {
  // Its command proto-loader-gen-types, which makes types while developing.
  '@grpc/proto-loader': ['yargs'],
  // Types.
  protobufjs: ['@types/node'],
  // Sockets of Cloudflare's runtime.
  pg: ['pg-cloudflare'],
  // Logs through worker threads, which here go to standard output; and warnings that no file of it loads.
  pino: ['pino-abstract-transport', 'process-warning', 'real-require'],
  'thread-stream': ['real-require'],
  // Types of logs, which nothing here sends by OTLP.
  '@opentelemetry/otlp-transformer': ['@opentelemetry/sdk-logs'],
};

/** Places in node_modules, such as `node_modules/pg`. Optional packages of every platform are counted. */
export function productionPackages({ packages }: Lock, app: string): string[] {
  const seen = new Set<string>();
  const waiting = [`apps/${app}`];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    if (seen.has(place)) continue;
    seen.add(place);
    for (const found of neededBy(packages, place)) waiting.push(packages[found]!.link ? packages[found]!.resolved! : found);
  }
  return [...seen].filter((place) => place.startsWith('node_modules/') || place.includes('/node_modules/')).sort();
}

function neededBy(packages: Lock['packages'], place: string): string[] {
  const { dependencies, optionalDependencies, peerDependencies, peerDependenciesMeta = {}, devDependencies = {} } = packages[place]!;
  const unused = neverLoaded[place.slice(place.lastIndexOf('node_modules/') + 'node_modules/'.length)] ?? [];
  const needed = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies }).filter(
    (name) => !peerDependenciesMeta[name]?.optional && !unused.includes(name),
  );
  const linked = Object.keys(devDependencies).filter((name) => packages[placeOf(packages, place, name) ?? '']?.link);
  return [...needed, ...linked].map((name) => placeOf(packages, place, name)).filter((found) => found !== undefined);
}
