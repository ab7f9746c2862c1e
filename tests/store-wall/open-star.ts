/**
 * `select *` from a table at the top of a prepared statement: a column that a migration adds changes its result, and PostgreSQL refuses
 * the statement that running processes have kept (D278).
 */
import { type Node, parseSync } from 'libpg-query';

type Part = Record<string, unknown>;

export function openStars(text: string): string[] {
  return (parseSync(text).stmts ?? []).flatMap(({ stmt }) =>
    stmt && isOpen(stmt as Part, new Map()) ? ['names no columns: a migration that adds one breaks it'] : [],
  );
}

/** `named`: the queries of `with` that the statement may read. */
function isOpen(stmt: Part, named: ReadonlyMap<string, Part>): boolean {
  const [kind, body] = Object.entries(stmt)[0] as [string, Part];
  const ctes = ((body.withClause as Part | undefined)?.ctes ?? []) as { CommonTableExpr: { ctename: string; ctequery: Node } }[];
  const known = new Map([...named, ...ctes.map(({ CommonTableExpr: { ctename, ctequery } }) => [ctename, ctequery as Part] as const)]);
  const isSelect = kind === 'SelectStmt';
  const targets = isSelect ? body.targetList : (body.returningClause as Part | undefined)?.exprs;
  const sources = isSelect ? (body.fromClause ?? []) : [{ RangeVar: body.relation ?? {} }];
  const hasStar = ((targets ?? []) as { ResTarget: { val?: { ColumnRef?: { fields: Part[] } } } }[]).some(({ ResTarget: { val } }) =>
    val?.ColumnRef?.fields.some((field) => 'A_Star' in field),
  );
  return hasStar && (sources as Part[]).some((source) => isTable(source, known));
}

/** Whether the source's columns are those of a table, not a list that the statement names. */
function isTable(source: Part, named: ReadonlyMap<string, Part>): boolean {
  const [kind, body] = Object.entries(source)[0] as [string, Part];
  if (kind === 'RangeVar') {
    const query = body.schemaname === undefined ? named.get(body.relname as string) : undefined;
    return query === undefined || isOpen(query, named);
  }
  if (kind === 'RangeSubselect') return isOpen(body.subquery as Part, named);
  if (kind === 'JoinExpr') return [body.larg, body.rarg].some((side) => isTable(side as Part, named));
  return false;
}
