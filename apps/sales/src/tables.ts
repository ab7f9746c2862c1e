/** The tables of sales: the entities that declare them, and typed statements over them. */
import { RunningTotal, tablesOf } from '@store/db';
import { StoreCopy } from '@store/service';

export const entities = [StoreCopy, RunningTotal];

export const tables = tablesOf<(typeof entities)[number]>('sales');
