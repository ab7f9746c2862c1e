/** What a test file opens for all of its tests. */
import { afterAll, afterEach, beforeAll } from '@jest/globals';
import { type FleetWorld, type FleetWorldOptions, openFleetWorld } from './fleet-world.ts';
import { type Opened, openedIn } from './opened.ts';
import { openReceiver, type Receiver } from './receiver.ts';
import { openWorld, type World } from './world.ts';

const opened: { close(): Promise<void> }[] = [];
const withinMs = 180_000;

/** Closes it after all tests of the file that runs now: the last one that was opened first. */
export function closeAfterAll<One extends { close(): Promise<void> }>(one: One): One {
  opened.push(one);
  // The first of them closes all, those of a file that failed before its tests too.
  afterAll(async () => {
    for (const { close } of opened.splice(0).reverse()) await close();
  }, withinMs);
  return one;
}

/** The world of a test file. */
export const useWorld = async (...options: Parameters<typeof openWorld>): Promise<World> => closeAfterAll(await openWorld(...options));

export const useReceiver = async (...options: Parameters<typeof openReceiver>): Promise<Receiver> =>
  closeAfterAll(await openReceiver(...options));

/** Opens what the tests of a file or a `describe` need; it is closed after them. */
export function openBeforeAll(open: (opened: Opened) => Promise<void>): void {
  const parts = new AsyncDisposableStack();
  beforeAll(() => open(openedIn(parts)), withinMs);
  afterAll(() => parts.disposeAsync(), withinMs);
}

/** The fleet of a `describe`. A function opens what the options need; what it passes to `opened` is closed after the fleet. */
export function useFleet(options: FleetWorldOptions | ((opened: Opened) => Promise<FleetWorldOptions>) = {}): FleetWorld {
  const world = {} as FleetWorld;
  openBeforeAll(async (opened) => {
    Object.assign(world, await opened(openFleetWorld(typeof options === 'function' ? await options(opened) : options)));
  });
  afterEach(async () => {
    for (const stop of stops.splice(0)) await stop();
  });
  return world;
}

const stops: (() => Promise<void>)[] = [];

/** Stops it after the test, whether that has done so or not. */
export function stopAfterTest<One extends { stop(): Promise<void> }>(one: One): One {
  stops.push(() => one.stop());
  return one;
}
