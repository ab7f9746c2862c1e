/** The catalogue's tables: the entities that declare them, and typed statements over them. */
import { tablesOf } from '@store/db';
import { Brand } from './brands/brand.ts';
import { RevenueCenter } from './revenue-centers/revenue-center.ts';

export const entities = [Brand, RevenueCenter];

export const tables = tablesOf<(typeof entities)[number]>('catalog');
