/** Checks the documents' links, headings, named tests and folders, and every link of the pages under /docs. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { buildSite, type Site } from '@store/docs-site';
import { openApiDocument } from '@store/openapi';
import { repository } from '../local/data-dir.ts';

const skipped = new Set(['node_modules', '.data', '.cache', '.git', '.nx']);

export interface Document {
  path: string;
  /** The path from the project's root. */
  name: string;
  text: string;
}

export function documents(folder = repository): Document[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    if (skipped.has(entry.name)) return [];
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return documents(path);
    return entry.name.endsWith('.md') ? [{ path, name: relative(repository, path), text: readFileSync(path, 'utf8') }] : [];
  });
}

export function documentFaults(): string[] {
  return documents().flatMap(({ path, name, text }) => [
    ...deadLinks(path, text).map((link) => `${name}: ${link} leads nowhere`),
    ...missingPaths(text).map((missing) => `${name}: ${missing} does not exist`),
  ]);
}

const withoutFences = (text: string) => text.replaceAll(/^ *```[\s\S]*?^ *```$/gm, '');

/** Files that a guide asks its reader to create. */
const madeByReaders = new Set(['apps/purchasing/src/suppliers/list-product-suppliers.ts', 'deploy/.env']);

/** The anchors of a document's headings, as GitHub makes them. */
function anchorsOf(text: string): Set<string> {
  const anchors = new Set<string>();
  for (const [, heading] of withoutFences(text).matchAll(/^#+ +(.+)$/gm)) {
    const plain = heading!.replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1').toLowerCase();
    const slug = plain.replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '').replaceAll(' ', '-');
    let anchor = slug;
    for (let n = 1; anchors.has(anchor); n += 1) anchor = `${slug}-${n}`;
    anchors.add(anchor);
  }
  return anchors;
}

/** Links of a document that lead nowhere. Links to other hosts are not checked, as that needs the network; siteFaults checks those that the gateway serves. */
export function deadLinks(path: string, text: string): string[] {
  const links = [...withoutFences(text).matchAll(/\]\(([^)\s]+)\)/g)].map(([, link]) => link!);
  return links.filter((link) => {
    if (/^[a-z]+:/.test(link) || link.startsWith('/')) return false;
    const [file, anchor] = link.split('#') as [string, string?];
    const target = file === '' ? path : join(dirname(path), file);
    if (file !== '' && !existsSync(target)) return true;
    return anchor !== undefined && !anchorsOf(readFileSync(target, 'utf8')).has(anchor);
  });
}

/** Files and folders that a document names by their path from the root, in code quotes, and that do not exist. */
export function missingPaths(text: string): string[] {
  const quoted = [...withoutFences(text).matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!);
  const paths = quoted.filter((code) => !madeByReaders.has(code) && /^(apps|deploy|docs|libs|protos|tests|tools)\/[\w./-]+$/.test(code));
  const bareTests = quoted.filter((code) => /^[\w-]+\.test\.ts$/.test(code));
  return [...paths.filter((path) => !existsSync(join(repository, path))), ...bareTests];
}

/** Served by the gateway outside /docs. */
const otherAddresses = new Set(['/admin', '/api/v1/openapi.json', '/api/v1/staff/openapi.json']);

/** Links and assets of the pages under /docs that lead nowhere. */
export function siteFaults(site: Site = servedSite()): string[] {
  const pages = [...site].filter(([, make]) => make().type.startsWith('text/html'));
  const texts = new Map(pages.map(([at, make]) => [at, make().body.toString()]));
  return pages.flatMap(([at]) => {
    const links = [...texts.get(at)!.matchAll(/\s(?:href|src|data-url)="([^"]+)"/g)].map(([, link]) => link!);
    return links.filter((link) => !leadsSomewhere(link, at)).map((link) => `${at}: ${link} leads nowhere`);
  });

  function leadsSomewhere(link: string, from: string): boolean {
    if (/^https?:/.test(link)) return true;
    const [target, anchor] = link.split('#') as [string, string?];
    if (target !== '' && !site.has(target)) return otherAddresses.has(target);
    const text = texts.get(target === '' ? from : target);
    return anchor === undefined || text === undefined || text.includes(` id="${anchor}"`);
  }
}

const servedSite = (): Site =>
  buildSite({
    keys: openApiDocument({ audience: 'keys', serverUrl: '/api/v1' }),
    staff: openApiDocument({ audience: 'staff', serverUrl: '/api/v1' }),
  });
