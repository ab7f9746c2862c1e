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
    name: 'Store',
    pages: [
      { path: '/', name: 'Today', icon: DashboardIcon, role: 'clerk' },
      { path: '/register', name: 'Register', icon: BackpackIcon, role: 'clerk' },
      { path: '/sales', name: 'Sales', icon: ReaderIcon, role: 'clerk' },
      { path: '/day', name: 'Day report', icon: CalendarIcon, role: 'manager' },
      { path: '/customers', name: 'Customers', icon: PersonIcon, role: 'clerk', needs: 'customers' },
      { path: '/gift-cards', name: 'Gift cards', icon: IdCardIcon, role: 'clerk' },
    ],
  },
  {
    name: 'Catalogue and stock',
    pages: [
      { path: '/products', name: 'Products', icon: CubeIcon, role: 'clerk' },
      { path: '/categories', name: 'Categories', icon: LayersIcon, role: 'clerk' },
      { path: '/promotions', name: 'Promotions', icon: StarIcon, role: 'clerk' },
      { path: '/stock', name: 'Stock ledger', icon: ArchiveIcon, role: 'clerk' },
      { path: '/purchase-orders', name: 'Purchase orders', icon: CardStackIcon, role: 'manager' },
    ],
  },
  {
    name: 'Developer API',
    pages: [
      { path: '/keys', name: 'API keys', icon: LockClosedIcon, role: 'admin' },
      { path: '/webhooks', name: 'Webhooks', icon: LightningBoltIcon, role: 'manager' },
      { path: '/requests', name: 'Requests', icon: ActivityLogIcon, role: 'manager' },
      { path: '/audit', name: 'Audit trail', icon: FileTextIcon, role: 'manager' },
    ],
  },
  {
    name: 'Settings',
    pages: [
      { path: '/settings', name: 'Store settings', icon: GearIcon, role: 'admin' },
      { path: '/loyalty', name: 'Loyalty programme', icon: HeartIcon, role: 'manager', needs: 'loyalty' },
      { path: '/staff', name: 'Staff', icon: AvatarIcon, role: 'admin' },
    ],
  },
];
