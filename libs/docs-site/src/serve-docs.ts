/** Serves /docs: no key, no limit, no call of a service. Mounted behind /api/v1, which it does not slow down. */
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import type { Express, Request, Response } from 'express';
import { buildSite, type DocsFile, type Documents, notFoundPath, type Role } from './site.ts';

const inflate = promisify(gunzip);

/** Public files. The viewer's frame has no origin, so it reads them as another site does. */
const common = {
  'Referrer-Policy': 'no-referrer',
  'Access-Control-Allow-Origin': '*',
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Resource-Policy': 'cross-origin',
  'Permissions-Policy': 'camera=(), geolocation=(), microphone=(), payment=(), usb=()',
  Vary: 'Accept-Encoding',
};

const sources = (style: string, more: string): string =>
  `default-src 'none'; script-src 'self'; style-src ${style}; img-src 'self' data:; font-src 'self' data:; base-uri 'none'; form-action 'none'; ${more}`;

/** The viewer writes its styles into its page; without the page's origin a flaw in it reaches no cookie and no storage. */
const policies: Record<Role, string> = {
  guide: sources("'self'", "connect-src 'none'; frame-ancestors 'none'"),
  'around viewer': sources("'self'", "connect-src 'self'; frame-src 'self'; frame-ancestors 'none'"),
  viewer: sources(
    "'self' 'unsafe-inline'",
    "connect-src 'self'; frame-ancestors 'self'; sandbox allow-scripts allow-forms allow-downloads allow-popups allow-popups-to-escape-sandbox",
  ),
};

/** How long a page may be shown without asking again. */
const pageSecondsMax = 60;

export function serveDocs(app: Express, documents: Documents): void {
  const site = buildSite(documents);
  // A browser; a program without a word about what it takes gets the JSON of a 404.
  app.get('/', (request, response, next) => {
    if (request.accepts(['json', 'html']) !== 'html') return next();
    response.writeHead(302, { Location: '/docs', 'Content-Length': 0, Vary: 'Accept' }).end();
  });
  app.use('/docs', (request, response, next) => {
    if (request.method !== 'GET' && request.method !== 'HEAD') return next();
    const at = request.originalUrl.replace(/\?.*$/s, '');
    if (at.endsWith('/')) return redirect(response, at.replace(/(?<!\/)\/+$/, ''));
    const found = at === notFoundPath ? undefined : site.get(at);
    const file = (found ?? site.get(notFoundPath)!)();
    return send(request, response, { file, status: found ? 200 : 404 });
  });
}

function redirect(response: Response, at: string): void {
  response.writeHead(308, { Location: at, 'Content-Length': 0 });
  response.end();
}

async function send(request: Request, response: Response, { file, status }: { file: DocsFile; status: number }): Promise<void> {
  const headers = {
    ...common,
    'Content-Security-Policy': policies[file.role],
    'Cache-Control': file.immutable ? 'public, max-age=31536000, immutable' : `public, max-age=${pageSecondsMax}`,
    ETag: file.etag,
  };
  if (status === 200 && request.headers['if-none-match'] === file.etag) {
    response.writeHead(304, headers).end();
    return;
  }
  const zipped = request.acceptsEncodings('gzip') === 'gzip';
  const body = zipped ? file.gzipped : file.body.length > 0 ? file.body : await inflate(file.gzipped);
  response.writeHead(status, {
    ...headers,
    'Content-Type': file.type,
    'Content-Length': body.length,
    ...(zipped ? { 'Content-Encoding': 'gzip' } : {}),
  });
  response.end(request.method === 'HEAD' ? undefined : body);
}
