/** The tables of settings in docs/operations/reference.md, from what the apps declare. */
import { serviceNames } from '@store/contract';
import { processSettings, type Settings } from '@store/service';
import { settingsOfApp } from '../local/apps.ts';

/** The settings that each app declares. */
export const settingsOfApps: Record<string, Settings> = {};
for (const app of ['gateway', ...serviceNames]) settingsOfApps[app] = await settingsOfApp(app);

/** One row per variable, with the apps that read it; variables that every app reads come first. */
export function settingsTable(): string {
  const readers = new Map<string, string[]>();
  const rows = new Map<string, string>();
  for (const [app, settings] of Object.entries(settingsOfApps)) {
    for (const [name, { default: fallback, explain }] of Object.entries(settings)) {
      readers.set(name, [...(readers.get(name) ?? []), app]);
      // Two apps may explain the same variable differently; the first explanation is used.
      if (!rows.has(name)) rows.set(name, `${shown(fallback)} | ${explain}`);
    }
  }
  const all = Object.keys(settingsOfApps).length;
  const ordered = [...rows].sort(([a], [b]) => readers.get(b)!.length - readers.get(a)!.length || (a < b ? -1 : 1));
  const lines = ordered.map(([name, rest]) => {
    const by = readers.get(name)!;
    return `| \`${name}\` | ${by.length === all ? 'all' : by.join(', ')} | ${rest} |`;
  });
  return ['| Variable | Read by | Default | What it is |', '|---|---|---|---|', ...lines].join('\n');
}

/** The variables that a separate process reads besides. */
export function processTable(): string {
  const read = new Set(Object.values(settingsOfApps).flatMap((settings) => Object.keys(settings)));
  const rows = Object.entries<Settings[string]>(processSettings).filter(([name]) => !read.has(name));
  const lines = rows.map(([name, { default: fallback, explain }]) => `| \`${name}\` | ${shown(fallback)} | ${explain} |`);
  return ['| Variable | Default | What it is |', '|---|---|---|', ...lines].join('\n');
}

function shown(fallback: string | undefined): string {
  if (fallback === undefined) return 'required';
  return fallback === '' ? 'empty' : `\`${fallback}\``;
}
