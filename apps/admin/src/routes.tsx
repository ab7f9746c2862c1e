/** Addresses and pages. Each page is a file of its own that is loaded when it is first opened. */
import type { ComponentType } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router';
import { FailedPage } from './layout/failed-page.tsx';
import { Shell } from './layout/shell.tsx';

function page(path: string, load: () => Promise<{ default: ComponentType }>): RouteObject {
  return { path, lazy: { Component: async () => (await load()).default }, errorElement: <FailedPage /> };
}

export const router = createBrowserRouter(
  [
    {
      element: <Shell />,
      errorElement: <FailedPage />,
      hydrateFallbackElement: <></>,
      children: [page('/', () => import('./today/today.tsx')), page('/keys', () => import('./keys/keys.tsx'))],
    },
  ],
  { basename: '/admin' },
);
