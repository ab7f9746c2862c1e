/** Column values as the entities declare them: bigint as a number (D166), timestamptz as a Date, dates as text; numeric stays text. */
import pg from 'pg';

const { builtins } = pg.types;
const bigintArray = 1016;

export function columnTypes(): pg.CustomTypesConfig {
  const types = new pg.TypeOverrides();
  types.setTypeParser(builtins.INT8, Number);
  types.setTypeParser(bigintArray as never, (text: string) => text.slice(1, -1).split(',').filter(Boolean).map(Number));
  types.setTypeParser(builtins.DATE, String);
  types.setTypeParser(builtins.TIMESTAMPTZ, (text: string) => new Date(text));
  return types;
}
