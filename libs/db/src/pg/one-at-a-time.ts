import type pg from 'pg';
import { noteStatement } from './record-statements.ts';

/** Runs a query over one connection; resolves with the answer of this very query, or its error. */
export type AskOne = (query: pg.QueryConfig) => Promise<pg.QueryResult>;

/** Serialises the queries of several users of one connection: pg must be asked one at a time. */
export function oneAtATime(client: pg.Client): AskOne {
  let asked: Promise<unknown> = Promise.resolve();
  return (query) => {
    noteStatement(query.text);
    const answer = asked.then(() => client.query(query));
    // The caller of the failed query gets its error; the next one only waits for the connection.
    asked = answer.catch(() => undefined);
    return answer;
  };
}
