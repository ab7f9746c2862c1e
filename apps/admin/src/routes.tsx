/** Addresses and pages. Each page is a file of its own that is loaded when it is first opened. */
import type { ComponentType } from 'react';
import { createBrowserRouter, type RouteObject } from 'react-router';
import { readAhead } from './api/query.ts';
import { hasRole, session } from './api/session.ts';
import { FailedContent, FailedPage, MissingFile } from './layout/failed-page.tsx';
import { NeedsRole } from './layout/needs-role.tsx';
import { Shell } from './layout/shell.tsx';

/** `ahead` begins what the page will read; it runs while the page is loaded. */
function page(path: string, load: () => Promise<{ default: ComponentType }>, ahead?: () => void): RouteObject {
  const loader = () => {
    ahead?.();
    return null;
  };
  const Component = () =>
    load().then(
      (file) => file.default,
      () => MissingFile,
    );
  return { path, lazy: { Component }, errorElement: <FailedContent />, ...(ahead && { loader }) };
}

const readsOfToday = ['getSettings', 'summarizeSales', 'listLowStock'] as const;
const readsOfManagers = ['summarizeRequests', 'summarizeDeliveries', 'listNotices', 'listMonitor'] as const;

/** What the first page shows is asked for while the page itself is loaded. */
function readToday(): void {
  const signedIn = session.get();
  if (!signedIn) return;
  for (const name of readsOfToday) readAhead(name, {});
  if (hasRole(signedIn.user, 'manager')) for (const name of readsOfManagers) readAhead(name, {});
}

export const router = createBrowserRouter(
  [
    page('/invite', () => import('./layout/invite.tsx')),
    {
      element: <Shell />,
      errorElement: <FailedPage />,
      hydrateFallbackElement: <></>,
      children: [
        page('/', () => import('./today/today.tsx'), readToday),
        page('/register', () => import('./register/register.tsx')),
        page('/sales', () => import('./sales/sales.tsx')),
        page('/sales/:id', () => import('./sales/sale.tsx')),
        page('/customers', () => import('./customers/customers.tsx')),
        page('/customers/:id', () => import('./customers/customer.tsx')),
        page('/gift-cards', () => import('./gift-cards/gift-cards.tsx')),
        page('/products', () => import('./products/products.tsx')),
        page('/products/:id', () => import('./products/product.tsx')),
        page('/categories', () => import('./categories/categories.tsx')),
        page('/promotions', () => import('./promotions/promotions.tsx')),
        page('/stock', () => import('./stock/stock.tsx')),
        page('/stock/locations', () => import('./stock/locations.tsx')),
        page('/account', () => import('./account/account.tsx')),
        {
          element: <NeedsRole least="manager" />,
          children: [
            page('/day', () => import('./day/day.tsx')),
            page('/stock/count', () => import('./stock/count.tsx')),
            page('/loyalty', () => import('./loyalty/loyalty.tsx')),
            page('/purchase-orders', () => import('./purchasing/purchase-orders.tsx')),
            page('/purchase-orders/new', () => import('./purchasing/new-order.tsx')),
            page('/suppliers', () => import('./suppliers/suppliers.tsx')),
            page('/purchase-orders/:id', () => import('./purchasing/purchase-order.tsx')),
            page('/webhooks', () => import('./webhooks/webhooks.tsx')),
            page('/webhooks/:id', () => import('./webhooks/subscription.tsx')),
            page('/requests', () => import('./requests/requests.tsx')),
            page('/requests/:id', () => import('./requests/request.tsx')),
            page('/audit', () => import('./audit/audit.tsx')),
          ],
        },
        {
          element: <NeedsRole least="admin" />,
          children: [
            page('/keys', () => import('./keys/keys.tsx')),
            page('/settings', () => import('./settings/settings.tsx')),
            page('/staff', () => import('./staff/staff.tsx')),
          ],
        },
      ],
    },
  ],
  { basename: '/admin' },
);
