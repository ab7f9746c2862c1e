import type pg from 'pg';
import { noteStatement } from './record-statements.ts';

/** Asks over one connection; the answer of this very query, or its error. */
export type AskOne = (query: pg.QueryConfig) => Promise<pg.QueryResult>;

/** A way to ask over a connection that many may use at once: pg is to be asked one thing at a time. */
export function oneAtATime(client: pg.Client): AskOne {
  let asked: Promise<unknown> = Promise.resolve();
  return (query) => {
    noteStatement(query.text);
    const answer = asked.then(() => client.query(query));
    // Whoever asked hears of a failure; the next only waits for the connection.
    asked = answer.catch(() => undefined);
    return answer;
  };
}
