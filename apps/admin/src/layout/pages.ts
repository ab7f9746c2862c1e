/** The pages of the panel as the navigation shows them, with the least role that each needs. */

import * as icons from '@radix-ui/react-icons';
import type { Role } from '../api/session.ts';
import type { StoreFacts } from '../api/store.ts';
import { t } from '../language/t.ts';

export interface PageLink {
  path: string;
  name: string;
  icon: typeof icons.DashboardIcon;
  role: Role;
  /** What the store's plan must include. */
  needs?: keyof StoreFacts['has'];
}

export const pageGroups: { name: string; pages: PageLink[] }[] = [
  {
    name: t('Store'),
    pages: [
      { path: '/', name: t('Today'), icon: icons.DashboardIcon, role: 'clerk' },
      { path: '/register', name: t('Register'), icon: icons.BackpackIcon, role: 'clerk' },
      { path: '/sales', name: t('Sales'), icon: icons.ReaderIcon, role: 'clerk' },
      { path: '/day', name: t('Day report'), icon: icons.CalendarIcon, role: 'manager' },
      { path: '/customers', name: t('Customers'), icon: icons.PersonIcon, role: 'clerk', needs: 'customers' },
      { path: '/gift-cards', name: t('Gift cards'), icon: icons.IdCardIcon, role: 'clerk' },
    ],
  },
  {
    name: t('Catalogue and stock'),
    pages: [
      { path: '/products', name: t('Products'), icon: icons.CubeIcon, role: 'clerk' },
      { path: '/categories', name: t('Categories'), icon: icons.LayersIcon, role: 'clerk' },
      { path: '/promotions', name: t('Promotions'), icon: icons.StarIcon, role: 'clerk' },
      { path: '/stock', name: t('Stock ledger'), icon: icons.ArchiveIcon, role: 'clerk' },
      { path: '/purchase-orders', name: t('Purchase orders'), icon: icons.CardStackIcon, role: 'manager' },
    ],
  },
  {
    name: t('Developer API'),
    pages: [
      { path: '/keys', name: t('API keys'), icon: icons.LockClosedIcon, role: 'admin' },
      { path: '/webhooks', name: t('Webhooks'), icon: icons.LightningBoltIcon, role: 'manager' },
      { path: '/requests', name: t('Requests'), icon: icons.ActivityLogIcon, role: 'manager' },
      { path: '/audit', name: t('Audit trail'), icon: icons.FileTextIcon, role: 'manager' },
    ],
  },
  {
    name: t('Settings'),
    pages: [
      { path: '/settings', name: t('Store settings'), icon: icons.GearIcon, role: 'admin' },
      { path: '/loyalty', name: t('Loyalty programme'), icon: icons.HeartIcon, role: 'manager', needs: 'loyalty' },
      { path: '/staff', name: t('Staff'), icon: icons.AvatarIcon, role: 'admin' },
    ],
  },
];
