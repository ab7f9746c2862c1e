import { expect, jest, test } from '@jest/globals';
import { until } from '@store/testbed/until';
import { OffsetCommits } from './offset-commits.ts';

/** A group whose next commits fail so often. */
function groupOf(failures: number) {
  const committed: object[] = [];
  const errors: unknown[] = [];
  const offsets = new OffsetCommits(1, (error) => errors.push(error));
  const uncommitted = { topics: [{ topic: 'catalog.events', partitions: [{ partition: 0, offset: '7' }] }] };
  const handle = () =>
    offsets.due({
      uncommittedOffsets: () => uncommitted,
      commitOffsetsIfNecessary: async (these) => {
        if (errors.length < failures) throw new Error('The broker did not answer');
        committed.push(these!);
      },
    });
  return { offsets, handle, committed, errors, uncommitted };
}

test('a commit that fails is tried again though no message comes', async () => {
  const { handle, committed, errors, uncommitted } = groupOf(2);
  handle();
  await until(() => committed.length > 0);
  expect({ committed, errors }).toEqual({ committed: [uncommitted], errors: [expect.any(Error), expect.any(Error)] });
});

test.each(['end', 'forget'] as const)('after %s nothing is tried again', async (how) => {
  jest.useFakeTimers({ doNotFake: ['setImmediate'] });
  const { offsets, handle, errors } = groupOf(Number.POSITIVE_INFINITY);
  handle();
  await offsets.commit();
  await offsets[how]();
  const { length } = errors;
  jest.advanceTimersByTime(60_000);
  await new Promise(setImmediate);
  jest.useRealTimers();
  expect([length, errors.length]).toEqual([how === 'end' ? 2 : 1, length]);
});
