/**
 * How column values arrive in statements, as the entities declare them: bigint as a number (ids are safe integers, D166),
 * timestamptz as a Date, dates as text. numeric stays text, which is exact.
 */
import pg from 'pg';

const { builtins } = pg.types;
const bigintArray = 1016;

/** Parsers for one pool; other types are parsed as pg does by default. */
export function columnTypes(): pg.CustomTypesConfig {
  const types = new pg.TypeOverrides();
  types.setTypeParser(builtins.INT8, Number);
  types.setTypeParser(bigintArray as never, (text: string) => text.slice(1, -1).split(',').filter(Boolean).map(Number));
  types.setTypeParser(builtins.DATE, String);
  types.setTypeParser(builtins.TIMESTAMPTZ, (text: string) => new Date(text));
  return types;
}
