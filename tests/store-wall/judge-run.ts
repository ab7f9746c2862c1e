/** Checks every statement that a test run recorded; part of `npm test`. */
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { appNames } from '@store/contract';
import type { RecordedStatement } from '@store/testbed/record-statements';
import { loadModule } from 'libpg-query';
import { migratedDatabase } from '../../tools/dev/migrated-database.ts';
import { repository } from '../../tools/local/data-dir.ts';
import { exceptionOf } from './exceptions.ts';
import { judgeStatement } from './judge-statement.ts';
import { openStars } from './open-star.ts';
import { readTables, type Table, Tables } from './tables.ts';

/** What is not the product: tests, their helpers, and operators' tools. */
const notOfTheProduct = /\.test(ing)?\.ts:|\/test\/|^(deploy|tests|tools|libs\/testbed)\//;

export interface Verdict {
  judged: number;
  /** Statements with their position and what is wrong with them. */
  faults: string[];
}

/** The tables of all services, read from schemas that their migrations created. */
async function migratedTables(): Promise<Table[]> {
  const database = await migratedDatabase();
  try {
    return await readTables(database.url, appNames);
  } finally {
    await database.close();
  }
}

/** `folder` is the value of STORE_STATEMENTS_DIR during the run. */
export async function judgeRun(folder: string): Promise<Verdict> {
  const recorded = readdirSync(folder)
    .filter((file) => file.endsWith('.json'))
    .map((file) => {
      const statement = JSON.parse(readFileSync(path.join(folder, file), 'utf8')) as RecordedStatement;
      return { ...statement, at: statement.at.replace(repository, '') };
    });
  await loadModule();
  const tables = new Tables(await migratedTables());
  const own = recorded.filter(({ at, application }) => !notOfTheProduct.test(at) && !application.endsWith('-migrations'));
  return { judged: own.length, faults: own.flatMap((statement) => faultsOf(statement, tables)) };
}

/** `at` is relative to the root of the repository. */
export function faultsOf({ text, at, kept }: Omit<RecordedStatement, 'application'>, tables: Tables): string[] {
  const unbound = judgeStatement(text, tables);
  const faults = [...(exceptionOf(at, text) ? [] : unbound), ...(kept ? openStars(text) : [])];
  if (faults.length === 0) return [];
  return [`${at || 'a statement'}: ${faults.join('; ')}\n    ${text.replace(/\s+/g, ' ').trim()}`];
}
