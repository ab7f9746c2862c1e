/** The tables of ARCHITECTURE.md and README.md about apps, from the registry and the description in each package.json. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { type AppName, appNames, apps, serviceNames } from '@store/contract';
import { repository } from '../local/data-dir.ts';

/** What the app owns; the first clause alone is short. */
function ownedBy(app: AppName): string {
  const { description } = JSON.parse(readFileSync(path.join(repository, 'apps', app, 'package.json'), 'utf8')) as { description?: string };
  if (description === undefined) throw new Error(`apps/${app}/package.json has no description, which the table of apps shows.`);
  return description;
}

/** The gateway first, as clients meet it first. */
const inOrder = ['gateway', ...serviceNames] as const;

function consumedBy(app: AppName): string {
  const consumed: readonly string[] = apps[app].consumes;
  const missing = appNames.filter((name) => !consumed.includes(name));
  if (missing.length === 0) return 'all apps';
  return missing.join() === app ? 'all apps but itself' : consumed.join(', ') || 'none';
}

/** One row per app: what it owns, who calls it, whose events it consumes. */
export function appsTable(): string {
  const rows = inOrder.map((app) => {
    const callers = inOrder.filter((name) => (apps[name].calls as readonly string[]).includes(app));
    const calledBy = app === 'gateway' ? 'clients, over HTTP' : callers.join(', ');
    return `| [${app}](apps/${app}/src) | ${ownedBy(app)} | ${calledBy} | ${consumedBy(app)} |`;
  });
  return ['| App | Owns (schema of its name) | Called by | Consumes the events of |', '|---|---|---|---|', ...rows].join('\n');
}

/** The way of a request, line by line; the services are beside it, the first at the gateway's arrow. */
const gateway = `\
integrator ── X-API-Key ──▶ ┌──────────── gateway ────────────┐
                            │ key → limit → billing → policy  │── gRPC ─┬─▶
staff ─────── session ────▶ │ → JSON to message and back      │         ├─▶
                            └──────┬──────────────────────────┘         ├─▶
                        limits and │                                    ├─▶
                        key cache  ▼                                    ├─▶
                             Redis or in-process                        ├─▶`.split('\n');
const further = `${' '.repeat(68)}├─▶`;

export function drawing(): string {
  const width = Math.max(...serviceNames.map((name) => name.length)) + 2;
  const lines = serviceNames.map((name, n) => `${gateway[n + 1] ?? further} ${name.padEnd(width)} ${ownedBy(name).split(';')[0]}`);
  lines.push(lines.pop()!.replace('├─▶', '└─▶'));
  return `\`\`\`
${[gateway[0], ...lines].join('\n')}
every commit ─▶ outbox row in the same transaction ─▶ relay ─▶ Kafka or in-process ─▶ the services that listen,
                among them webhooks ─▶ signed POSTs to subscribers
\`\`\``;
}
