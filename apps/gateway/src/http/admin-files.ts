/** Serves the panel's built files from memory. Until the folder appears, /admin says that it is being built and reloads itself. */
import { randomBytes } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Request, RequestHandler, Response } from 'express';
import { adminTarget } from './admin-path.ts';

interface File {
  type: string;
  body: Buffer;
  /** Compressed by the build; absent where that saves nothing. */
  gzip?: Buffer;
}

interface Panel {
  index: string;
  assets: Map<string, File>;
}

const types: Record<string, string> = {
  '.js': 'text/javascript; charset=utf-8',
  '.css': 'text/css; charset=utf-8',
  '.svg': 'image/svg+xml',
};
/** What index.html has in the place of the nonce of the answer. */
const nonceMark = '__CSP_NONCE__';
const reloadSeconds = 2;

export function adminFiles(folder: string): RequestHandler {
  let panel: Panel | undefined;
  return (request, response, next) => {
    const target = adminTarget(request.url);
    if (target === undefined || (request.method !== 'GET' && request.method !== 'HEAD')) return next();
    panel ??= readPanel(folder);
    if (!panel) return sendBuilding(request, response);
    const name = target.replace(/\?.*$/s, '').replace(/^\/admin\/?/, '');
    if (!name.startsWith('assets/')) return sendIndex(request, response, panel.index);
    const file = panel.assets.get(name.slice('assets/'.length));
    if (!file) return next();
    sendAsset(request, response, file);
  };
}

/** Undefined until the whole folder is there; a build appears by one rename. */
function readPanel(folder: string): Panel | undefined {
  const index = path.join(folder, 'index.html');
  if (!existsSync(index)) return undefined;
  const assets = path.join(folder, 'assets');
  const names = readdirSync(assets).filter((name) => path.extname(name) in types);
  return {
    index: readFileSync(index, 'utf8'),
    assets: new Map(names.map((name) => [name, readAsset(path.join(assets, name))])),
  };
}

function readAsset(file: string): File {
  const gzip = existsSync(`${file}.gz`) ? readFileSync(`${file}.gz`) : undefined;
  return { type: types[path.extname(file)]!, body: readFileSync(file), gzip };
}

function sendIndex(request: Request, response: Response, index: string): void {
  const nonce = randomBytes(16).toString('base64');
  setPageHeaders(response, nonce);
  send(request, response, 200, Buffer.from(index.replaceAll(nonceMark, nonce)));
}

function sendBuilding(request: Request, response: Response): void {
  setPageHeaders(response, randomBytes(16).toString('base64'));
  response.setHeader('Retry-After', String(reloadSeconds));
  response.setHeader('Refresh', String(reloadSeconds));
  const text = 'The admin panel is being built. This page reloads by itself.';
  send(request, response, 503, Buffer.from(`<!doctype html><html lang="en"><title>Admin</title><p>${text}</p></html>`));
}

/** The component library writes style elements while it runs, so styles need the nonce; scripts come from files alone. */
function setPageHeaders(response: Response, nonce: string): void {
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self' 'nonce-${nonce}'`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "form-action 'self'",
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ];
  response.setHeader('Content-Security-Policy', policy.join('; '));
  response.setHeader('Content-Type', 'text/html; charset=utf-8');
  response.setHeader('Cache-Control', 'no-store');
  response.setHeader('Referrer-Policy', 'no-referrer');
  response.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  response.setHeader('X-Content-Type-Options', 'nosniff');
}

/** Asset names contain a hash of the content, so an asset never changes. */
function sendAsset(request: Request, response: Response, { type, body, gzip }: File): void {
  response.setHeader('Content-Type', type);
  response.setHeader('Cache-Control', 'public, max-age=31536000, immutable');
  response.setHeader('X-Content-Type-Options', 'nosniff');
  response.setHeader('Vary', 'Accept-Encoding');
  const compressed = gzip !== undefined && request.acceptsEncodings('gzip') === 'gzip';
  if (compressed) response.setHeader('Content-Encoding', 'gzip');
  send(request, response, 200, compressed ? gzip : body);
}

function send(request: Request, response: Response, status: number, body: Buffer): void {
  response.writeHead(status, { 'Content-Length': body.length });
  response.end(request.method === 'HEAD' ? undefined : body);
}
