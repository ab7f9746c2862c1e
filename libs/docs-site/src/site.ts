/** Everything under /docs, by path. A page is rendered when it is first asked for, and kept. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import path from 'node:path/posix';
import { gzipSync } from 'node:zlib';
import { type CatalogueSource, eventCatalogue } from './event-catalogue.ts';
import { eventPage } from './event-page.ts';
import { escapeHtml } from './html.ts';
import { pageHtml, referenceHtml, viewerHtml } from './layout.ts';
import { type Rendered, renderMarkdown } from './markdown.ts';
import { guidePages, pageGroups } from './pages.ts';
import { forViewer } from './viewer-document.ts';

export interface DocsFile {
  type: string;
  body: Buffer;
  gzipped: Buffer;
  etag: string;
  /** The content belongs to the address for ever. */
  immutable: boolean;
  /** The policy of a page: of the guides, of the frame of the viewer, or of the page around it. */
  role: Role;
}

export type Role = 'guide' | 'viewer' | 'around viewer';

export type Site = Map<string, () => DocsFile>;

export interface Documents {
  keys: object;
  staff: object;
}

/** Where the site keeps the page for addresses that it does not have. */
export const notFoundPath = '/docs/not-found';
const notFoundText = '<h1>Not found</h1><p>There is no page here. The <a href="/docs">start page</a> lists all of them.</p>';

const root = new URL('../../../', import.meta.url);
const types: Record<string, string> = {
  css: 'text/css; charset=utf-8',
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  json: 'application/json; charset=utf-8',
  svg: 'image/svg+xml',
};
const assetNames = ['base.css', 'docs.css', 'docs.js', 'theme.js', 'reference.css', 'reference.js', 'relay.js', 'frame.js', 'icon.svg'];

export function buildSite(documents: Documents): Site {
  const site: Site = new Map();
  const asset = addAssets(site);
  const add = (at: string, make: () => Content) =>
    site.set(
      at,
      once(() => fileOf(make())),
    );
  const page = (at: string, make: () => Rendered) =>
    add(at, () => {
      const { html, title, headings } = make();
      return { type: types.html!, text: pageHtml({ path: at, title, html, headings, asset }) };
    });
  const texts = new Map(guidePages.map(({ name, file }) => [name, readFileSync(new URL(file, root), 'utf8')]));
  const welcome = readFileSync(new URL('docs/guides/index.md', root), 'utf8');
  page('/docs', () => withCards(renderMarkdown(welcome, linksFrom('docs/guides/index.md')), texts));
  for (const { name, file } of guidePages) page(`/docs/${name}`, () => renderMarkdown(texts.get(name)!, linksFrom(file)));

  add(notFoundPath, () => ({
    type: types.html!,
    text: pageHtml({ path: '', title: 'Not found', html: notFoundText, headings: [], asset }),
  }));

  const events = once(() => eventCatalogue(documents.keys as CatalogueSource));
  page('/docs/events', () => eventPage(events()));
  const json = (at: string, make: () => unknown) => add(at, () => ({ type: types.json!, text: `${JSON.stringify(make(), null, 2)}\n` }));
  json('/docs/events.json', () => ({ events: events() }));
  for (const event of Object.keys((documents.keys as CatalogueSource).webhooks)) {
    json(`/docs/events/${event}.json`, () => events().find((one) => one.event === event)!.schema);
  }
  json('/docs/reference/keys.json', () => forViewer(documents.keys, { samples: true }));
  json('/docs/reference/staff.json', () => forViewer(documents.staff));
  const viewer = (at: string, title: string, document: string) => {
    const parts = { path: at, title, documentPath: `${document}.json`, framePath: `${document}.html`, asset };
    add(at, () => ({ type: types.html!, role: 'around viewer', text: referenceHtml(parts) }));
    add(parts.framePath, () => ({ type: types.html!, role: 'viewer', text: viewerHtml(parts) }));
  };
  viewer('/docs/reference', 'Endpoints for keys', '/docs/reference/keys');
  viewer('/docs/reference/staff', 'Endpoints for staff', '/docs/reference/staff');
  return site;
}

/** Adds the assets, and gives each its address with a version, so that browsers may keep it. */
function addAssets(site: Site): (name: string) => string {
  const versions = new Map<string, string>();
  const add = (name: string, version: string, make: () => DocsFile) => {
    versions.set(name, version);
    site.set(`/docs/assets/${version}/${name}`, once(make));
  };
  for (const name of assetNames) {
    const text = readFileSync(new URL(`assets/${name}`, import.meta.url), 'utf8');
    add(name, hashOf(text), () => fileOf({ type: types[name.split('.').at(-1)!]!, text, immutable: true }));
  }
  const { version } = JSON.parse(readFileSync(new URL('viewer/viewer.json', import.meta.url), 'utf8')) as { version: string };
  add('scalar.js', version, () => {
    const gzipped = readFileSync(new URL('viewer/scalar.js.gz', import.meta.url));
    return { type: types.js!, body: Buffer.alloc(0), gzipped, etag: `"${version}"`, immutable: true, role: 'guide' };
  });
  return (name) => `/docs/assets/${versions.get(name)}/${name}`;
}

type Content = Partial<DocsFile> & Pick<DocsFile, 'type'> & { text: string };

function fileOf({ type, text, immutable = false, role = 'guide' }: Content): DocsFile {
  const body = Buffer.from(text);
  return { type, body, gzipped: gzipSync(body), etag: `"${hashOf(text)}"`, immutable, role };
}

const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url').slice(0, 16);

function once<Value>(make: () => Value): () => Value {
  let result: { value: Value } | undefined;
  return () => {
    result ??= { value: make() };
    return result.value;
  };
}

/** Where the relative links of a document lead: pages for served documents, nowhere for other files. */
function linksFrom(file: string): (link: string) => string | undefined {
  return (link) => {
    const [target, anchor] = link.split('#') as [string, string?];
    const suffix = anchor === undefined ? '' : `#${anchor}`;
    if (target === '') return suffix;
    if (target.startsWith('/')) return link;
    const wanted = path.join(path.dirname(file), target);
    const found = guidePages.find((page) => page.file === wanted);
    if (found) return `/docs/${found.name}${suffix}`;
    return wanted === 'docs/guides/index.md' ? `/docs${suffix}` : undefined;
  };
}

/** The start page ends with a card for each guide. */
function withCards(welcome: Rendered, texts: Map<string, string>): Rendered {
  const cards = pageGroups.map(({ title, pages }) => {
    const items = pages.map(
      ({ name, label }) => `<li><a href="/docs/${name}">${escapeHtml(label)}</a><span>${summaryOf(texts.get(name)!)}</span></li>`,
    );
    return `<h2 class="cards-title">${escapeHtml(title)}</h2><ul class="cards">${items.join('')}</ul>`;
  });
  return { ...welcome, html: `${welcome.html}${cards.join('')}` };
}

function summaryOf(text: string): string {
  const paragraph = text.split('\n\n').find((part) => !part.startsWith('#')) ?? '';
  const plain = paragraph
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/\[([^[\]]*)\]\([^()]*\)/g, '$1')
    .replaceAll(/[`*]/g, '');
  return escapeHtml(/^.*?[.:](?= |$)/.exec(plain)?.[0].replace(/:$/, '.') ?? plain);
}
