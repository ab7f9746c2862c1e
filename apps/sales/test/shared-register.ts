/** The register as the tests of one file share it, each with a store and a clerk of its own. */
import { afterAll, beforeAll, beforeEach } from '@jest/globals';
import type { Caller } from '@store/rpc';
import { clerkOf, type Register, startRegister } from './start-register.ts';

/** Started before the first test of the file. */
export let register: Register;

/** The store of the running test, and its clerk. */
export let store = 0;
export let clerk: Caller;

/** Starts the register before the tests of the file, stops it after them, and gives each test a new store. */
export function shareRegister(changes: Parameters<typeof clerkOf>[1] = {}): void {
  beforeAll(async () => {
    register = await startRegister();
  });
  afterAll(() => register.stop());
  beforeEach(() => newStore(changes));
}

/** Goes on with another store. */
export function newStore(changes: Parameters<typeof clerkOf>[1] = {}): void {
  store = register.newStore();
  clerk = clerkOf(store, changes);
}
