/** The columns of a table that links two nouns. */
import { p } from '@mikro-orm/core';

/** A part of the link's primary key; the link goes with the record that it names. */
export const linkColumn = <Target extends { '~entity': unknown }>(target: Target, table: string, column: string) =>
  p
    .manyToOne(target)
    .fieldName(column)
    .primary()
    .mapToPk()
    .deleteRule('cascade')
    .updateRule('no action')
    .foreignKeyName(`${table}_${column}_fkey`);
