/** The pages of the panel as the navigation shows them, with the least role that each needs. */

import {
  ActivityLogIcon,
  ArchiveIcon,
  AvatarIcon,
  BackpackIcon,
  CalendarIcon,
  CardStackIcon,
  CubeIcon,
  DashboardIcon,
  FileTextIcon,
  GearIcon,
  HeartIcon,
  IdCardIcon,
  LayersIcon,
  LightningBoltIcon,
  LockClosedIcon,
  PersonIcon,
  ReaderIcon,
  StarIcon,
} from '@radix-ui/react-icons';
import type { Role } from '../api/session.ts';
import type { StoreFacts } from '../api/store.ts';
import { t } from '../language/t.ts';

export interface PageLink {
  path: string;
  name: string;
  icon: typeof DashboardIcon;
  role: Role;
  /** What the store's plan must include. */
  needs?: keyof StoreFacts['has'];
}

export const pageGroups: { name: string; pages: PageLink[] }[] = [
  {
    name: t('Store'),
    pages: [
      { path: '/', name: t('Today'), icon: DashboardIcon, role: 'clerk' },
      { path: '/register', name: t('Register'), icon: BackpackIcon, role: 'clerk' },
      { path: '/sales', name: t('Sales'), icon: ReaderIcon, role: 'clerk' },
      { path: '/day', name: t('Day report'), icon: CalendarIcon, role: 'manager' },
      { path: '/customers', name: t('Customers'), icon: PersonIcon, role: 'clerk', needs: 'customers' },
      { path: '/gift-cards', name: t('Gift cards'), icon: IdCardIcon, role: 'clerk' },
    ],
  },
  {
    name: t('Catalogue and stock'),
    pages: [
      { path: '/products', name: t('Products'), icon: CubeIcon, role: 'clerk' },
      { path: '/categories', name: t('Categories'), icon: LayersIcon, role: 'clerk' },
      { path: '/promotions', name: t('Promotions'), icon: StarIcon, role: 'clerk' },
      { path: '/stock', name: t('Stock ledger'), icon: ArchiveIcon, role: 'clerk' },
      { path: '/purchase-orders', name: t('Purchase orders'), icon: CardStackIcon, role: 'manager' },
    ],
  },
  {
    name: t('Developer API'),
    pages: [
      { path: '/keys', name: t('API keys'), icon: LockClosedIcon, role: 'admin' },
      { path: '/webhooks', name: t('Webhooks'), icon: LightningBoltIcon, role: 'manager' },
      { path: '/requests', name: t('Requests'), icon: ActivityLogIcon, role: 'manager' },
      { path: '/audit', name: t('Audit trail'), icon: FileTextIcon, role: 'manager' },
    ],
  },
  {
    name: t('Settings'),
    pages: [
      { path: '/settings', name: t('Store settings'), icon: GearIcon, role: 'admin' },
      { path: '/loyalty', name: t('Loyalty programme'), icon: HeartIcon, role: 'manager', needs: 'loyalty' },
      { path: '/staff', name: t('Staff'), icon: AvatarIcon, role: 'admin' },
    ],
  },
];
