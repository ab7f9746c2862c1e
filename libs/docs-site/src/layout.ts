import { escapeHtml } from './html.ts';
import type { Heading } from './markdown.ts';
import { otherPages, pageGroups } from './pages.ts';

interface PageParts {
  path: string;
  title: string;
  html: string;
  headings: Heading[];
  /** Address of an asset, with its version. */
  asset(name: string): string;
}

const apiName = 'Store Developer API';

export function pageHtml({ path, title, html, headings, asset }: PageParts): string {
  const contents = tableOfContents(headings);
  return `${documentHead(title, asset, 'docs.css')}${ownScripts(asset)}</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top">${barHtml(path)}</header>
<div class="frame">
<nav class="side" aria-label="Pages">${navigation(path)}</nav>
<main id="content"${contents === '' ? ' class="wide"' : ''}>
${html}
<footer>${neighbours(path)}</footer>
</main>
${contents}
</div>
</body>
</html>
`;
}

interface ViewerParts {
  path: string;
  title: string;
  documentPath: string;
  framePath: string;
  asset(name: string): string;
}

/** The page of the reference: the header, and below it the frame of the viewer. */
export function referenceHtml({ path, title, documentPath, framePath, asset }: ViewerParts): string {
  return `${documentHead(title, asset, 'reference.css')}${ownScripts(asset)}</head>
<body class="reference">
<nav class="top" aria-label="Documentation">${barHtml(path)}</nav>
<noscript><p>The reference needs JavaScript. The document itself is at <a href="${documentPath}">${documentPath}</a>.</p></noscript>
<main><h1>${escapeHtml(title)}</h1><iframe title="${escapeHtml(title)}" data-src="${framePath}"></iframe></main>
<script src="${asset('relay.js')}"></script>
</body>
</html>
`;
}

/** What the frame shows: the viewer, which is not our code, and no other script of these pages. */
export function viewerHtml({ title, documentPath, asset }: ViewerParts): string {
  return `${documentHead(title, asset, 'reference.css')}</head>
<body>
<div id="reference" data-url="${documentPath}"></div>
<script src="${asset('frame.js')}"></script>
<script src="${asset('scalar.js')}"></script>
<script src="${asset('reference.js')}"></script>
</body>
</html>
`;
}

const ownScripts = (asset: (name: string) => string): string =>
  `<script src="${asset('theme.js')}"></script>
<script src="${asset('docs.js')}" defer></script>
`;

function documentHead(title: string, asset: (name: string) => string, style: string): string {
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(title === apiName ? title : `${title} · ${apiName}`)}</title>
<link rel="icon" href="${asset('icon.svg')}" type="image/svg+xml">
<link rel="stylesheet" href="${asset('base.css')}">
<link rel="stylesheet" href="${asset(style)}">
`;
}

const headerLinks = [
  { path: '/docs', label: 'Guides' },
  { path: '/docs/events', label: 'Events' },
  { path: '/docs/reference', label: 'Reference' },
];

/** The bar at the top. The viewer has a header of its own, beside which this one is navigation. */
function barHtml(path: string): string {
  const section = headerLinks.findLast((link) => path.startsWith(link.path))!;
  const links = headerLinks.map((link) => `<li>${linkTo(link, link === section && (path === link.path ? 'page' : 'true'))}</li>`);
  return `<a class="brand" href="/docs"><svg viewBox="0 0 24 24" aria-hidden="true"><path d="M3 9 5 3h14l2 6v2a3 3 0 0 1-2 2.8V21H5v-7.2A3 3 0 0 1 3 11zm5 8h8v-3H8z"/></svg><span>${apiName}</span></a>
<nav class="places" aria-label="Sections"><ul>${links.join('')}</ul></nav>
<button type="button" class="theme" hidden>Dark</button>
<details class="menu"><summary>Menu</summary><nav aria-label="All pages">${navigation(path)}</nav></details>`;
}

function linkTo({ path, label }: { path: string; label: string }, current: 'page' | 'true' | false): string {
  return `<a href="${path}"${current ? ` aria-current="${current}"` : ''}>${escapeHtml(label)}</a>`;
}

function listed(): { title: string; links: { path: string; label: string }[] }[] {
  const groups = pageGroups.map(({ title, pages }) => ({
    title,
    links: pages.map(({ name, label }) => ({ path: `/docs/${name}`, label })),
  }));
  groups.at(-1)!.links.push(...otherPages);
  return groups;
}

function navigation(current: string): string {
  return listed()
    .map(({ title, links }) => {
      const items = links.map((link) => `<li>${linkTo(link, link.path === current && 'page')}</li>`).join('');
      return `<p class="nav-group">${escapeHtml(title)}</p><ul>${items}</ul>`;
    })
    .join('');
}

function neighbours(current: string): string {
  const links = listed().flatMap((group) => group.links);
  const at = links.findIndex(({ path }) => path === current);
  const link = (found: { path: string; label: string } | undefined, kind: string) =>
    found ? `<a class="${kind}" href="${found.path}"><span>${kind}</span> ${escapeHtml(found.label)}</a>` : '';
  return at < 0 ? '' : `${link(links[at - 1], 'previous')}${link(links[at + 1], 'next')}`;
}

function tableOfContents(headings: Heading[]): string {
  const sections = headings.filter(({ depth }) => depth === 2);
  if (sections.length < 3) return '';
  const items = sections.map(({ id, text }) => `<li><a href="#${id}">${escapeHtml(text)}</a></li>`).join('');
  return `<nav class="contents" aria-label="On this page"><p class="nav-group">On this page</p><ul>${items}</ul></nav>`;
}
