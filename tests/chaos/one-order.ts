/**
 * Whether what clients were told of one register (a card, a customer's credit, a sale) fits one order of their requests that agrees
 * with real time: linearizability, searched as Wing and Gong do, with a memory of what was tried as Lowe and Porcupine have it.
 */

export interface Operation<State> {
  /** For reports. */
  what: string;
  invokedMs: number;
  /** Infinity: it may take effect at any later time. */
  endedMs: number;
  /** It may have had no effect at all: its client does not know. */
  isOptional?: boolean;
  /** The state after it; undefined: what was answered cannot be true of this state. */
  step(state: State): State | undefined;
}

interface Search<State> {
  ends: (state: State) => boolean;
  tried: Set<string>;
  numbers: Map<Operation<State>, number>;
  /** Of the try that came furthest: how many were left, and what had to come next. */
  furthest: { left: number; due: string[] };
}

/** Beyond it the search would take too long, and says so: a register must have fewer requests at once. */
const triesMax = 200_000;

/** Undefined: there is such an order. Otherwise what found no place in any. `ends`: whether a state is the one at rest. */
export function withoutOrder<State>(initial: State, operations: Operation<State>[], ends: (state: State) => boolean): string | undefined {
  const numbers = new Map(operations.map((operation, number) => [operation, number]));
  const search: Search<State> = { ends, tried: new Set(), numbers, furthest: { left: Number.POSITIVE_INFINITY, due: [] } };
  const byEnd = operations.toSorted((a, b) => a.endedMs - b.endedMs);
  if (place(search, initial, byEnd, Number.NEGATIVE_INFINITY)) return undefined;
  if (search.tried.size > triesMax) return `no order was found in ${triesMax} tries`;
  const { due } = search.furthest;
  return due.length === 0 ? 'no order ends in what is there at rest' : `no place for ${due.join(', nor for ')}`;
}

/** `latestMs`: the last beginning of what has its place already. */
function place<State>(search: Search<State>, state: State, left: Operation<State>[], latestMs: number): boolean {
  const firstEndMs = left.find(({ isOptional }) => !isOptional)?.endedMs;
  if (firstEndMs === undefined && search.ends(state)) return true;
  const name = `${JSON.stringify(state)} ${left.map((one) => search.numbers.get(one)).join()}`;
  if (search.tried.has(name) || search.tried.size > triesMax) return false;
  search.tried.add(name);
  /** What had not ended before another began. */
  const here = left.filter(({ invokedMs, endedMs }) => invokedMs <= (firstEndMs ?? Number.POSITIVE_INFINITY) && endedMs >= latestMs);
  const next = here.flatMap((operation) => {
    const after = operation.step(state);
    return after === undefined ? [] : [{ operation, after, isRead: JSON.stringify(after) === JSON.stringify(state) }];
  });
  // What changes nothing and may come now is never better placed later.
  const read = next.find(({ operation, isRead }) => isRead && !operation.isOptional);
  for (const { operation, after } of read ? [read] : next) {
    const others = left.filter((one) => one !== operation);
    if (place(search, after, others, Math.max(latestMs, operation.invokedMs))) return true;
  }
  const due = here.filter(({ isOptional }) => !isOptional).map(({ what }) => what);
  if (left.length < search.furthest.left) search.furthest = { left: left.length, due };
  return false;
}
