/** The first that matches: most browsers also name those that they descend from. */
import { t } from '../language/t.ts';

const browsers = { Edge: /Edg\//, Opera: /OPR\//, Firefox: /Firefox\//, Chrome: /Chrom(e|ium)\//, Safari: /Safari\// };
const systems = { Android: /Android/, iOS: /iPhone|iPad/, Windows: /Windows/, macOS: /Mac OS X/, Linux: /Linux|X11/ };

/** A browser's User-Agent as people call it; a program's by its first word. */
export function deviceName(userAgent: string): string {
  const nameOf = (all: Record<string, RegExp>) => Object.entries(all).find(([, pattern]) => pattern.test(userAgent))?.[0];
  const [browser, system] = [nameOf(browsers), nameOf(systems)];
  if (browser === undefined) return userAgent.split(/[\s/]/)[0] || t('Unknown');
  return system === undefined ? browser : t('{browser} on {system}', { browser, system });
}
