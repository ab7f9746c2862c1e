/** The relations of a FROM clause and the conditions of its joins, repeated until nothing more becomes bound. */
import type { JoinExpr, Node, RangeFunction, RangeSubselect, RangeVar } from 'libpg-query';
import { boundBy, isBound } from './conditions.ts';
import { judgeQuery } from './judge-query.ts';
import { type ColumnPlace, type Output, Relation, type Scope, textOf } from './scope.ts';

interface Condition {
  binds(): ColumnPlace[];
  /** Relations whose rows it limits: the ON of an outer join limits only the side that it fills with nulls. */
  limits: Set<Relation>;
}

export class FromClause {
  readonly #scope: Scope;
  readonly #conditions: Condition[] = [];
  /** Sources that see the relations before them, so that they are evaluated again once those are bound. */
  readonly #lateral: (() => void)[] = [];
  readonly #faults: (() => string[])[] = [];

  constructor(scope: Scope) {
    this.#scope = scope;
  }

  add(node: Node): Relation[] {
    if ('RangeVar' in node) return [this.addTable(node.RangeVar)];
    if ('JoinExpr' in node) return this.#addJoin(node.JoinExpr);
    if ('RangeSubselect' in node) return [this.#addSubselect(node.RangeSubselect)];
    if ('RangeFunction' in node) return [this.#addFunction(node.RangeFunction)];
    this.#faults.push(() => [`${Object.keys(node)[0]} in FROM cannot be judged`]);
    return [];
  }

  /** Binds everything that the conditions bind, and returns the faults within the clause. */
  settle(where: Node | undefined): string[] {
    this.#conditions.push({ binds: () => boundBy(where, this.#scope), limits: new Set(this.#scope.relations) });
    for (let changed = true; changed; ) {
      for (const refresh of this.#lateral) refresh();
      changed = false;
      for (const { binds, limits } of this.#conditions) {
        for (const { relation, column } of binds()) changed = (limits.has(relation) && relation.bind(column)) || changed;
      }
    }
    const unbound = this.#scope.relations.filter((relation) => !relation.isBound);
    return [
      ...unbound.map(({ table, alias }) => `${table!.name}${table!.name.endsWith(`.${alias}`) ? '' : ` ${alias}`} is bound to no store`),
      ...this.#faults.flatMap((faults) => faults()),
    ];
  }

  addTable({ schemaname, relname, alias }: RangeVar): Relation {
    const name = alias?.aliasname ?? relname!;
    const cte = schemaname === undefined ? this.#scope.ctes.get(relname!) : undefined;
    if (cte) return this.#addOutputs(name, renamed(cte, alias?.colnames));
    const table = this.#scope.tables.find(schemaname, relname!);
    return this.#push(new Relation(name, table?.columns ?? [], table));
  }

  #addOutputs(alias: string, outputs: Output[]): Relation {
    const relation = this.#push(
      new Relation(
        alias,
        outputs.map(({ name }) => name),
      ),
    );
    for (const { name, bound } of outputs) if (bound) relation.bind(name);
    return relation;
  }

  #addSubselect({ subquery, alias, lateral }: RangeSubselect): Relation {
    const judged = () => judgeQuery(subquery!, lateral ? this.#scope.inner() : this.#scope.beside());
    const outputs = () => renamed(judged().outputs, alias?.colnames);
    const relation = this.#addOutputs(alias?.aliasname ?? '', outputs());
    const refresh = () => {
      for (const { name, bound } of outputs()) if (bound) relation.bind(name);
    };
    if (lateral) this.#lateral.push(refresh);
    this.#faults.push(() => judged().faults);
    return relation;
  }

  /** A recordset from a parameter holds what the statement was given; one from a column holds what that column holds. */
  #addFunction({ functions, alias, coldeflist }: RangeFunction): Relation {
    const calls = (functions ?? []).flatMap((call) => ('List' in call ? (call.List.items ?? []) : []));
    const defined = [...(coldeflist ?? []), ...calls.flatMap((call) => ('List' in call ? (call.List.items ?? []) : []))];
    const columns = [
      ...(alias?.colnames ?? []).map(textOf),
      ...defined.flatMap((column) => ('ColumnDef' in column ? [column.ColumnDef.colname ?? ''] : [])),
    ];
    const name = alias?.aliasname ?? '';
    const relation = this.#push(new Relation(name, columns.length > 0 ? columns : [name]));
    const called = calls.filter((call) => 'FuncCall' in call);
    this.#lateral.push(() => {
      const given = called.length > 0 && called.every((call) => isBound(call, this.#scope));
      if (given) for (const column of relation.columns) relation.bind(column);
    });
    return relation;
  }

  #addJoin({ jointype, larg, rarg, quals, usingClause }: JoinExpr): Relation[] {
    const left = this.add(larg!);
    const right = this.add(rarg!);
    const limited = { JOIN_INNER: [...left, ...right], JOIN_LEFT: right, JOIN_RIGHT: left }[jointype as string] ?? [];
    const limits = new Set(limited);
    this.#conditions.push({ binds: () => boundBy(quals, this.#scope), limits });
    for (const column of (usingClause ?? []).map(textOf)) {
      this.#conditions.push({ binds: () => sameColumn(column, left, right), limits });
    }
    return [...left, ...right];
  }

  #push(relation: Relation): Relation {
    this.#scope.relations.push(relation);
    return relation;
  }
}

function sameColumn(column: string, left: Relation[], right: Relation[]): ColumnPlace[] {
  const having = [left, right].map((side) => side.filter(({ columns }) => columns.includes(column)));
  const [one, other] = having.map((side) => side.some(({ bound }) => bound.has(column)));
  const targets = [...(one ? having[1]! : []), ...(other ? having[0]! : [])];
  return targets.map((relation) => ({ relation, column }));
}

export function renamed(outputs: Output[], names: Node[] | undefined): Output[] {
  return outputs.map(({ name, bound }, position) => ({ name: textOf(names?.[position]) || name, bound }));
}
