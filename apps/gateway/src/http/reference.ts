/** Serves the OpenAPI documents, and the two guides as Markdown. None needs a key. */
import { readFileSync } from 'node:fs';
import type { Endpoint } from '@store/contract';
import type { Documents } from '@store/docs-site';
import { openApiDocument } from '@store/openapi';
import type { Express, Request, Response } from 'express';
import { sendJson } from './answer.ts';

const base = '/api/v1';
const guides = ['api.md', 'webhooks.md'];

export function serveReference(app: Express, served: Endpoint[], publicUrl: string): Documents {
  const serverUrl = `${publicUrl.replace(/\/$/, '')}${base}`;
  const keys = openApiDocument({ audience: 'keys', serverUrl, served });
  const staff = openApiDocument({ audience: 'staff', serverUrl, served });
  const [keysText, staffText] = [JSON.stringify(keys), JSON.stringify(staff)];
  app.get(`${base}/openapi.json`, (request, response) => sendJson(request, response, 200, keysText));
  app.get(`${base}/staff/openapi.json`, (request, response) => sendJson(request, response, 200, staffText));
  for (const guide of guides) {
    const text = readFileSync(new URL(`../../../../docs/${guide}`, import.meta.url));
    app.get(`${base}/docs/${guide}`, (request, response) => sendGuide(request, response, text));
  }
  return { keys, staff };
}

function sendGuide(request: Request, response: Response, text: Buffer): void {
  response.writeHead(200, { 'Content-Type': 'text/markdown; charset=utf-8', 'Content-Length': text.length });
  response.end(request.method === 'HEAD' ? undefined : text);
}
