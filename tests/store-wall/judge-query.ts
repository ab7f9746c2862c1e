/** One query, its WITH queries and everything inside: what its columns hold, and which tables it leaves unbound. */
import type { DeleteStmt, InsertStmt, Node, SelectStmt, UpdateStmt, WithClause } from 'libpg-query';
import { boundBy, isBound } from './conditions.ts';
import { FromClause, renamed } from './from-clause.ts';
import { fieldsOf, type Output, Relation, type Scope } from './scope.ts';

export interface Judged {
  outputs: Output[];
  faults: string[];
}

/** `scope` is the query's own, still empty. */
export function judgeQuery(node: Node, scope: Scope): Judged {
  if ('SelectStmt' in node) return judgeSelect(node.SelectStmt, scope);
  if ('InsertStmt' in node) return judgeInsert(node.InsertStmt, scope);
  if ('UpdateStmt' in node) return judgeChange(node.UpdateStmt, node.UpdateStmt.fromClause, scope);
  if ('DeleteStmt' in node) return judgeChange(node.DeleteStmt, node.DeleteStmt.usingClause, scope);
  return { outputs: [], faults: [`${Object.keys(node)[0]} cannot be judged`] };
}

function judgeSelect(select: SelectStmt, scope: Scope): Judged {
  const faults = judgeWith(select.withClause, scope);
  if (select.larg && select.rarg) {
    const [left, right] = [select.larg, select.rarg].map((arm) => judgeSelect(arm, scope.inner()));
    const outputs = left!.outputs.map(({ name, bound }, position) => ({ name, bound: bound && right!.outputs[position]?.bound === true }));
    return { outputs, faults: [...faults, ...left!.faults, ...right!.faults] };
  }
  if (select.valuesLists) {
    const rows = select.valuesLists.map((row) => ('List' in row ? (row.List.items ?? []) : []));
    const outputs = rows[0]!.map((_, position) => ({
      name: `column${position + 1}`,
      bound: rows.every((row) => isBound(row[position], scope)),
    }));
    return { outputs, faults: [...faults, ...linkFaults(rows, scope)] };
  }
  const from = new FromClause(scope);
  for (const item of select.fromClause ?? []) from.add(item);
  faults.push(...from.settle(select.whereClause));
  const { withClause: _, ...parts } = select;
  return { outputs: outputsOf(select.targetList, scope), faults: [...faults, ...linkFaults(parts, scope)] };
}

/** UPDATE … FROM and DELETE … USING. */
function judgeChange(change: UpdateStmt | DeleteStmt, others: Node[] | undefined, scope: Scope): Judged {
  const faults = judgeWith(change.withClause, scope);
  const from = new FromClause(scope);
  const target = from.addTable(change.relation!);
  for (const item of others ?? []) from.add(item);
  faults.push(...from.settle(change.whereClause));
  const assigned = 'targetList' in change ? (change.targetList ?? []) : [];
  for (const part of assigned) {
    const moves = 'ResTarget' in part && part.ResTarget.name !== undefined && part.ResTarget.name === target.table?.storeColumn;
    if (moves && !isBound(part.ResTarget.val, scope)) faults.push(`${target.table!.name} is moved to a store that is not bound`);
  }
  const { withClause: _, ...parts } = change;
  return { outputs: outputsOf(change.returningClause?.exprs, scope), faults: [...faults, ...linkFaults(parts, scope)] };
}

function judgeInsert(insert: InsertStmt, scope: Scope): Judged {
  const faults = judgeWith(insert.withClause, scope);
  const { schemaname, relname, alias } = insert.relation!;
  const table = scope.tables.find(schemaname, relname!);
  const target = new Relation(alias?.aliasname ?? relname!, table?.columns ?? [], table);
  const named = (insert.cols ?? []).map((column) => ('ResTarget' in column ? (column.ResTarget.name ?? '') : ''));
  const given = insert.selectStmt ? judgeQuery(insert.selectStmt, scope.inner()) : { outputs: [], faults: [] };
  faults.push(...given.faults);
  if (table?.storeColumn !== undefined) {
    const position = (named.length > 0 ? named : table.columns).indexOf(table.storeColumn);
    // A row of the stores table without an id is a new store.
    const isNew = table.storeColumn === 'id' && position < 0;
    if (isNew || given.outputs[position]?.bound) target.bind(table.storeColumn);
    else faults.push(`${table.name} is given a row of no bound store`);
  }
  faults.push(...conflictFaults(insert, target, scope));
  scope.relations.push(target);
  return { outputs: outputsOf(insert.returningClause?.exprs, scope), faults: [...faults, ...linkFaults(insert.returningClause, scope)] };
}

/** DO UPDATE changes an existing row: the store must be part of the conflict target or of the WHERE. */
function conflictFaults({ onConflictClause }: InsertStmt, target: Relation, outer: Scope): string[] {
  if (onConflictClause?.action !== 'ONCONFLICT_UPDATE') return [];
  const { infer, targetList, whereClause } = onConflictClause;
  const scope = outer.inner();
  const existing = new Relation(target.alias, target.columns, target.table);
  const excluded = new Relation('excluded', target.columns, target.table);
  for (const column of target.bound) excluded.bind(column);
  scope.relations.push(existing, excluded);
  for (const element of infer?.indexElems ?? []) if ('IndexElem' in element) existing.bind(element.IndexElem.name ?? '');
  for (const { relation, column } of boundBy(whereClause, scope)) relation.bind(column);
  const faults = linkFaults([targetList, whereClause], scope);
  return existing.isBound ? faults : [...faults, `${target.table!.name} in ON CONFLICT is bound to no store`];
}

/** WITH queries in order; a recursive one is first assumed to be bound like its first arm, and then checked again with that. */
function judgeWith(clause: WithClause | undefined, scope: Scope): string[] {
  return (clause?.ctes ?? []).flatMap((node) => {
    if (!('CommonTableExpr' in node)) return [];
    const { ctename, ctequery, aliascolnames } = node.CommonTableExpr;
    const arm = 'SelectStmt' in ctequery! && clause!.recursive ? ctequery.SelectStmt.larg : undefined;
    if (arm) scope.ctes.set(ctename!, renamed(judgeSelect(arm, scope.beside()).outputs, aliascolnames));
    for (;;) {
      const { outputs, faults } = judgeQuery(ctequery!, scope.beside());
      const known = renamed(outputs, aliascolnames);
      const before = scope.ctes.get(ctename!);
      scope.ctes.set(ctename!, known);
      if (!arm || JSON.stringify(before) === JSON.stringify(known)) return faults;
    }
  });
}

function outputsOf(targets: Node[] | undefined, scope: Scope): Output[] {
  return (targets ?? []).flatMap((target) => {
    if (!('ResTarget' in target)) return [];
    const { name, val } = target.ResTarget;
    const column = val && 'ColumnRef' in val ? val.ColumnRef : undefined;
    const fields = fieldsOf(column?.fields);
    if (column?.fields?.some((field) => 'A_Star' in field)) {
      return scope.relations.filter(({ alias }) => fields.length === 0 || alias === fields.at(-1)).flatMap(({ outputs }) => outputs);
    }
    return [{ name: name ?? nameOf(val), bound: isBound(val, scope) }];
  });
}

function nameOf(node: Node | undefined): string {
  if (node === undefined) return '';
  if ('TypeCast' in node) return nameOf(node.TypeCast.arg);
  return 'ColumnRef' in node ? (fieldsOf(node.ColumnRef.fields).at(-1) ?? '') : '';
}

/** The faults of subselects in expressions, at any depth; those in FROM are handled with it. */
function linkFaults(part: unknown, scope: Scope): string[] {
  if (typeof part !== 'object' || part === null || 'SelectStmt' in part) return [];
  const node = part as Node;
  if (!('SubLink' in node)) return Object.values(part).flatMap((inner) => linkFaults(inner, scope));
  const { subselect, testexpr } = node.SubLink;
  return [...judgeQuery(subselect!, scope.inner()).faults, ...linkFaults(testexpr, scope)];
}
