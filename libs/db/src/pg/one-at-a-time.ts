import type pg from 'pg';
import { asked } from './statement.ts';

/** Runs a query over one connection; resolves with the answer of this very query, or its error. */
export type AskOne = (query: pg.QueryConfig) => Promise<pg.QueryResult>;

/** Serialises the queries of several users of one connection: pg must be asked one at a time. */
export function oneAtATime(client: pg.Client): AskOne {
  let before: Promise<unknown> = Promise.resolve();
  return (query) => {
    asked.publish(query.text);
    const answer = before.then(() => client.query(query));
    // The caller of the failed query gets its error; the next one only waits for the connection.
    before = answer.catch(() => undefined);
    return answer;
  };
}
