/** What a query can see at one place: its relations, and for each the columns that hold a bound store. */
import type { Node } from 'libpg-query';
import type { Table, Tables } from './tables.ts';

/** A column of a query's result. `bound`: it can only hold a store that is a parameter of the statement. */
export interface Output {
  name: string;
  bound: boolean;
}

/** A table, subselect or function in a FROM clause, or the target of a write. */
export class Relation {
  readonly alias: string;
  readonly columns: string[];
  readonly bound = new Set<string>();
  /** For a table that belongs to stores. */
  readonly table: Table | undefined;

  constructor(alias: string, columns: string[], table?: Table) {
    this.alias = alias;
    this.columns = columns;
    this.table = table;
  }

  /** Only a table's store column can be bound; a subselect's column is bound if its expression is. */
  bind(column: string): boolean {
    if (this.bound.has(column) || (this.table !== undefined && this.table.storeColumn !== column)) return false;
    this.bound.add(column);
    return true;
  }

  get isBound(): boolean {
    return this.table?.storeColumn === undefined || this.bound.has(this.table.storeColumn);
  }

  get outputs(): Output[] {
    return this.columns.map((name) => ({ name, bound: this.bound.has(name) }));
  }
}

export interface ColumnPlace {
  relation: Relation;
  column: string;
}

export class Scope {
  readonly relations: Relation[] = [];
  readonly ctes: Map<string, Output[]>;
  readonly tables: Tables;
  readonly parent: Scope | undefined;

  constructor(tables: Tables, parent?: Scope, ctes: Map<string, Output[]> | undefined = parent?.ctes) {
    this.tables = tables;
    this.parent = parent;
    this.ctes = new Map(ctes);
  }

  /** For a query inside this one that sees its relations. */
  inner(): Scope {
    return new Scope(this.tables, this);
  }

  /** For a query inside this one that sees only its WITH queries. */
  beside(): Scope {
    return new Scope(this.tables, this.parent, this.ctes);
  }

  /** The source of `alias.column` or a bare `column`: the nearest scope that has it. */
  find(fields: string[]): ColumnPlace | undefined {
    const column = fields.at(-1)!;
    const alias = fields.at(-2);
    const relation = this.relations.find((one) => (alias === undefined || one.alias === alias) && one.columns.includes(column));
    return relation ? { relation, column } : this.parent?.find(fields);
  }
}

/** The names of a column reference, `*` left out. */
export function fieldsOf(fields: Node[] | undefined): string[] {
  return (fields ?? []).flatMap((field) => ('String' in field ? [field.String.sval ?? ''] : []));
}

export function textOf(node: Node | undefined): string {
  return node !== undefined && 'String' in node ? (node.String.sval ?? '') : '';
}
