import { createServer } from 'node:http';
import { expect, test } from '@jest/globals';
import { endpoints } from '@store/contract';
import express from 'express';
import { listeningServers } from '../../test/listening.ts';
import { serveReference } from './reference.ts';

const listening = listeningServers();

async function served(publicUrl: string, path: string): Promise<{ servers: { url: string }[]; externalDocs: { url: string } }> {
  const app = express();
  serveReference(app, endpoints(), publicUrl);
  const response = await fetch((await listening(createServer(app))) + path);
  return (await response.json()) as Awaited<ReturnType<typeof served>>;
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
