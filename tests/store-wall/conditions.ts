/** The columns that a condition binds: where it holds, they equal a store that is a parameter of the statement. */
import type { A_Expr, Node, SubLink } from 'libpg-query';
import { judgeQuery } from './judge-query.ts';
import { type ColumnPlace, fieldsOf, type Scope, textOf } from './scope.ts';

/**
 * True when an expression can only yield what the parameters hold: it consists of parameters and bound columns, with at
 * least one of them. A constant is not the caller's store.
 */
export function isBound(node: Node | undefined, scope: Scope): boolean {
  const leaves: boolean[] = [];
  collect(node, scope, leaves);
  return leaves.length > 0 && leaves.every(Boolean);
}

function collect(part: unknown, scope: Scope, leaves: boolean[]): void {
  if (typeof part !== 'object' || part === null) return;
  const node = part as Node;
  if ('ParamRef' in node) leaves.push(true);
  else if ('ColumnRef' in node) leaves.push(isBoundPlace(placeOf(node, scope)));
  else if ('SubLink' in node) leaves.push(isScalar(node.SubLink) && outputsOf(node.SubLink, scope)[0] === true);
  else for (const inner of Object.values(part)) collect(inner, scope, leaves);
}

const isBoundPlace = (place: ColumnPlace | undefined): boolean => place?.relation.bound.has(place.column) ?? false;
const isScalar = ({ subLinkType }: SubLink): boolean => subLinkType === 'EXPR_SUBLINK' || subLinkType === 'ARRAY_SUBLINK';

function outputsOf({ subselect }: SubLink, scope: Scope): boolean[] {
  return judgeQuery(subselect!, scope.inner()).outputs.map(({ bound }) => bound);
}

function placeOf(node: Node | undefined, scope: Scope): ColumnPlace | undefined {
  const bare = node === undefined ? undefined : withoutCast(node);
  return bare && 'ColumnRef' in bare ? scope.find(fieldsOf(bare.ColumnRef.fields)) : undefined;
}

function withoutCast(node: Node): Node {
  return 'TypeCast' in node && node.TypeCast.arg ? withoutCast(node.TypeCast.arg) : node;
}

/** The columns that a condition binds, given those bound so far; more may follow from these. */
export function boundBy(condition: Node | undefined, scope: Scope): ColumnPlace[] {
  if (condition === undefined) return [];
  if ('BoolExpr' in condition) {
    const arms = (condition.BoolExpr.args ?? []).map((arm) => boundBy(arm, scope));
    if (condition.BoolExpr.boolop === 'AND_EXPR') return arms.flat();
    return condition.BoolExpr.boolop === 'OR_EXPR' ? inAll(arms) : [];
  }
  if ('A_Expr' in condition) return boundByComparison(condition.A_Expr, scope);
  if ('SubLink' in condition) return boundByMembership(condition.SubLink, scope);
  return [];
}

function inAll([first = [], ...others]: ColumnPlace[][]): ColumnPlace[] {
  const same = (a: ColumnPlace, b: ColumnPlace) => a.relation === b.relation && a.column === b.column;
  return first.filter((place) => others.every((arm) => arm.some((other) => same(place, other))));
}

function boundByComparison({ kind, name, lexpr, rexpr }: A_Expr, scope: Scope): ColumnPlace[] {
  if (textOf(name?.at(-1)) !== '=') return [];
  if (kind === 'AEXPR_OP_ANY') return isBound(rexpr, scope) ? places([lexpr], scope) : [];
  if (kind === 'AEXPR_IN') return boundByList(lexpr, rexpr, scope);
  if (kind !== 'AEXPR_OP' && kind !== 'AEXPR_NOT_DISTINCT') return [];
  const [left, right] = [rowOf(lexpr), rowOf(rexpr)];
  if (left.length !== right.length) return [];
  return left.flatMap((one, position) => {
    const other = right[position];
    return [...(isBound(other, scope) ? places([one], scope) : []), ...(isBound(one, scope) ? places([other], scope) : [])];
  });
}

/** `store_id in ($1, $2)` and `(store_id, id) in (($1, $2), ($3, $4))`. */
function boundByList(left: Node | undefined, right: Node | undefined, scope: Scope): ColumnPlace[] {
  const items = right && 'List' in right ? (right.List.items ?? []).map(rowOf) : [];
  const columns = rowOf(left).filter((_, position) => items.every((item) => isBound(item[position], scope)));
  return items.length === 0 ? [] : places(columns, scope);
}

/** `store_id in (select …)` and `(store_id, id) in (select …)`. */
function boundByMembership(link: SubLink, scope: Scope): ColumnPlace[] {
  const isEqual = link.operName === undefined || textOf(link.operName.at(-1)) === '=';
  if (link.subLinkType !== 'ANY_SUBLINK' || !isEqual) return [];
  const outputs = outputsOf(link, scope);
  return places(
    rowOf(link.testexpr).filter((_, position) => outputs[position] === true),
    scope,
  );
}

function rowOf(node: Node | undefined): Node[] {
  if (node === undefined) return [];
  return 'RowExpr' in node ? (node.RowExpr.args ?? []) : [node];
}

function places(nodes: (Node | undefined)[], scope: Scope): ColumnPlace[] {
  return nodes.flatMap((node) => placeOf(node, scope) ?? []);
}
