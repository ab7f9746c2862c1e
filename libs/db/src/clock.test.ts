/** D195: all processes use the server's time, whatever happens to the wall clock of a process's machine. */
import { afterEach, expect, jest, test } from '@jest/globals';
import { ServerClock } from './clock.ts';

const opened: ServerClock[] = [];
afterEach(() => {
  for (const clock of opened.splice(0)) clock.stop();
  jest.restoreAllMocks();
});

/** A server whose clock and round-trip times the test sets. */
function world() {
  const state = { monotonicMs: 1_000, serverMs: Date.parse('2026-11-21T09:30:00.000Z'), wayMs: [2, 2] as [number, number] };
  const pass = (ms: number) => {
    state.monotonicMs += ms;
    state.serverMs += ms;
  };
  const ask = async () => {
    pass(state.wayMs[0]);
    const { serverMs } = state;
    pass(state.wayMs[1]);
    return serverMs;
  };
  const start = async () => {
    const clock = await ServerClock.start(ask, () => state.monotonicMs);
    opened.push(clock);
    return clock;
  };
  return { state, pass, start };
}
const errorMs = (clock: ServerClock, { serverMs }: { serverMs: number }) => clock.now().getTime() - serverMs;

test('a wall clock that jumps by minutes changes nothing', async () => {
  const { state, pass, start } = world();
  const [here, there] = [await start(), await start()];
  const wallMs = Date.now();
  for (const jumpMs of [300_000, -300_000]) {
    jest.spyOn(Date, 'now').mockReturnValue(wallMs + jumpMs);
    pass(20_000);
    expect(errorMs(here, state)).toBe(0);
    await here.measure();
    expect([errorMs(here, state), errorMs(there, state)]).toEqual([0, 0]);
  }
});

test.each([
  ['a slow reading is discarded: it may be off by half of its duration', 60_000],
  ['so is one just above the limit', 201],
  ['one within the error of the last changes nothing: the time does not jitter', 100],
])('%s', async (_title, backMs) => {
  const { state, start } = world();
  const clock = await start();
  state.wayMs = [0, backMs];
  await clock.measure();
  expect(errorMs(clock, state)).toBe(0);
});

test('the fastest of the first readings is used', async () => {
  const { state, start } = world();
  state.wayMs = [0, 5_000];
  const starting = start();
  state.wayMs = [1, 1];
  expect(errorMs(await starting, state)).toBe(0);
});

test("the server's own clock is followed when it is set", async () => {
  const { state, start } = world();
  const clock = await start();
  state.serverMs += 40_000;
  await clock.measure();
  expect(errorMs(clock, state)).toBe(0);
});
