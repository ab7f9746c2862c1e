/**
 * The cases of bad-input.jsonl, which `npm run conform` tries too, as far as they can be tried from outside.
 * Each line of the file is one `BadInput` as JSON, or one for each of its values; a case is added as a line beside those of its row, or as
 * a value of a line.
 */
import { readFileSync } from 'node:fs';

export type Part =
  | string
  | { repeat: string; times: number }
  | { numbers: number }
  | { base64: string }
  | { gzip: { repeat: string; times: number } };

export interface BadInput {
  id: string;
  /** Row of Bad input in docs/contract.md, or the number of a decision. */
  row: number;
  /** Method and target; a list of parts where it is long. */
  request: string | Part[];
  /** Lines besides Host, Connection and the credentials; Content-Type: application/json when absent. */
  headers?: (string | Part[])[];
  /** The credentials; absent: a key with every scope. */
  key?: 'staff';
  sent?: Part[];
  status: number;
  /** The exact body. */
  body?: unknown;
  /** A part of `data`. */
  data?: unknown;
  /** The request is valid and changes something. */
  saves?: boolean;
  /** The longest time on a machine that does nothing else. */
  max_ms?: number;
}

/** A line with `each` is a case for each of its texts: `{each}` is replaced by the text, and in the id by the text's name if it has one. */
interface Line extends BadInput {
  each?: string[] | Record<string, string>;
}

export const badInputCases = readFileSync(new URL('bad-input.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .flatMap((line) => casesOf(JSON.parse(line) as Line));

function casesOf({ each = [''], ...line }: Line): BadInput[] {
  const named: (readonly [string, string])[] = Array.isArray(each) ? each.map((text) => [text, text] as const) : Object.entries(each);
  return named.map(([name, text]) => {
    const fill = (key: string, part: unknown) =>
      typeof part === 'string' ? part.replaceAll('{each}', () => (key === 'id' ? name : text)) : part;
    return JSON.parse(JSON.stringify(line), fill) as BadInput;
  });
}

/** `{product}` and similar placeholders stand for ids of the run. */
export const filledIn = (text: string, ids: Record<string, unknown>): string =>
  text.replaceAll(/\{(\w+)\}/g, (all, name: string) => String(ids[name] ?? all));

/** Whether the answer depends on the day of the journey, or on names, skus and contacts of its records: elsewhere such a write is valid. */
export const isOfItsWorld = ({ request, sent, body }: BadInput): boolean =>
  /\b(plain|taken|freed|deleted|stocked|20\d\d-\d\d-\d\d)\b/i.test(JSON.stringify([request, sent, body]));
