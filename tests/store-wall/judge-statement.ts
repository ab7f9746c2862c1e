/**
 * The second barrier between stores: each statement must bind every store-owned table that it touches to one store. This
 * checks that a parameter of the statement decides the store, not which value the parameter has.
 */
import { type Node, parseSync } from 'libpg-query';
import { judgeQuery } from './judge-query.ts';
import { Scope } from './scope.ts';
import type { Tables } from './tables.ts';

const queries = ['SelectStmt', 'InsertStmt', 'UpdateStmt', 'DeleteStmt'];

/** What is wrong with a text of one or more statements; `loadModule` of libpg-query must have been awaited. */
export function judgeStatement(text: string, tables: Tables): string[] {
  return (parseSync(text).stmts ?? []).flatMap(({ stmt }) => {
    if (stmt === undefined) return [];
    const kind = Object.keys(stmt)[0]!;
    if (queries.includes(kind)) return [...new Set(judgeQuery(stmt, new Scope(tables)).faults)];
    return tablesIn(stmt, tables).map((name) => `${kind} on ${name} cannot be judged`);
  });
}

/** The store-owned tables in a statement of another kind, such as TRUNCATE or MERGE. */
function tablesIn(part: unknown, tables: Tables): string[] {
  if (typeof part !== 'object' || part === null) return [];
  const own = 'relname' in part ? tables.find((part as { schemaname?: string }).schemaname, part.relname as string) : undefined;
  return [
    ...(own?.storeColumn === undefined ? [] : [own.name]),
    ...Object.values(part as Node).flatMap((inner) => tablesIn(inner, tables)),
  ];
}
