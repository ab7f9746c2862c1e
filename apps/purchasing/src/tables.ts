/** The tables of purchasing: the entities that declare them, and typed statements over them. */
import { RunningTotal, tablesOf } from '@store/db';

export const entities = [RunningTotal];

export const tables = tablesOf<(typeof entities)[number]>('purchasing');
