/** The clients' side: acknowledged ⊆ rows, refused ∩ rows = ∅, each at most once, and in the order of real time. */
import type { Change, History, Violation, Write } from './history.ts';

/**
 * Answers that are no refusal of just this write: a limit, which each gateway counts by itself without Redis, and that of a
 * gateway which stood still and takes the request for one that came too slowly.
 */
const refusesAnyone = [408, 429];

export function checkWrites({ writes, changes, products }: History): Violation[] {
  const byMark = Map.groupBy(
    changes.flatMap((change) => change.marks.map((mark) => ({ mark, change }))),
    ({ mark }) => mark,
  );
  const times = (mark: string) => byMark.get(mark)?.length ?? 0;
  const violations: Violation[] = [];
  for (const write of writes) {
    const found = (rule: string, detail: string) => violations.push({ rule, detail: `${write.what} (${write.id}): ${detail}` });
    if (write.result === 'fail' && !write.refusable && !refusesAnyone.includes(write.status))
      found('unexpected-refusal', `was answered with ${write.status}`);
    for (const mark of write.marks) {
      if (write.result === 'ok' && times(mark) === 0) found('write-lost', `${mark} was acknowledged and is not there`);
      if (write.result === 'fail' && times(mark) > 0) found('refused-write-kept', `${mark} was refused with ${write.status} and is there`);
      if (times(mark) > 1) found('write-doubled', `${mark} was made ${times(mark)} times`);
    }
  }
  const changeOf = (mark: string) => byMark.get(mark)?.[0]?.change;
  return [...violations, ...againstRealTime(writes, changeOf), ...rowsThatDiffer(changes, products)];
}

/** A write that began after another of its record was acknowledged must come after it. */
function againstRealTime(writes: Write[], changeOf: (mark: string) => Change | undefined): Violation[] {
  const committed = writes
    .filter(({ result }) => result !== 'fail')
    .flatMap((write) => write.marks.map((mark) => ({ write, change: changeOf(mark) })))
    .filter((one): one is { write: Write; change: Change } => one.change !== undefined);
  const violations: Violation[] = [];
  for (const [record, ofRecord] of Map.groupBy(committed, ({ change }) => `${change.topic} ${change.record}`)) {
    // Walking back from the newest: a write that was acknowledged before an older one began is out of order.
    let firstEnd: { write: Write; change: Change } | undefined;
    for (const one of ofRecord.sort((a, b) => b.change.n - a.change.n)) {
      if (firstEnd && firstEnd.write.endedMs < one.write.invokedMs)
        violations.push({
          rule: 'real-time-order',
          detail: `${record}: ${one.write.id} began after ${firstEnd.write.id} was acknowledged and was committed before it`,
        });
      if (one.write.result === 'ok' && (!firstEnd || one.write.endedMs < firstEnd.write.endedMs)) firstEnd = one;
    }
  }
  return violations;
}

/** The journal of changes is valid only if it ends in the rows as they are. */
function rowsThatDiffer(changes: Change[], products: History['products']): Violation[] {
  const names = new Map<string, string>();
  for (const { record, name } of [...changes].sort((a, b) => a.n - b.n)) if (name !== null) names.set(record, name);
  const rows = new Map(products.map(({ record, name }) => [record, name]));
  return [...new Set([...names.keys(), ...rows.keys()])]
    .filter((record) => rows.get(record) !== names.get(record))
    .map((record) => ({
      rule: 'row-differs',
      detail: `product ${record} is ${rows.get(record)} and was last made ${names.get(record)}`,
    }));
}
