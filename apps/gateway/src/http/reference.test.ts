import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { expect, test } from '@jest/globals';
import { endpoints } from '@store/contract';
import express from 'express';
import { serveReference } from './reference.ts';

async function served(publicUrl: string, path: string): Promise<{ servers: { url: string }[]; externalDocs: { url: string } }> {
  const app = express();
  serveReference(app, endpoints(), publicUrl);
  const server = createServer(app).listen(0, '127.0.0.1');
  await once(server, 'listening');
  try {
    const response = await fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${path}`);
    return (await response.json()) as Awaited<ReturnType<typeof served>>;
  } finally {
    server.closeAllConnections();
    server.close();
  }
}

test.each(['/api/v1/openapi.json', '/api/v1/staff/openapi.json'])(
  '%s names PUBLIC_URL as its server, or the host that is asked',
  async (path) => {
    for (const [publicUrl, base] of [
      ['https://api.store.example', 'https://api.store.example/api/v1'],
      ['https://api.store.example/', 'https://api.store.example/api/v1'],
      ['', '/api/v1'],
    ] as const) {
      const { servers, externalDocs } = await served(publicUrl, path);
      expect([servers[0]!.url, externalDocs.url]).toEqual([base, `${base.replace('/api/v1', '')}/docs`]);
    }
  },
);
