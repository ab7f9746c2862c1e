/** What this tab waits for, by name, whichever page began it. */

import { useSyncExternalStore } from 'react';
import { listeners } from './listeners.ts';

const counts = new Map<string, number>();
const { subscribe, tell } = listeners();

function count(name: string, more: number): void {
  counts.set(name, (counts.get(name) ?? 0) + more);
  tell();
}

/** Counts under `name` until the answer is there, or is none. */
export function underWay<T>(name: string, answer: Promise<T>): Promise<T> {
  count(name, 1);
  return answer.finally(() => count(name, -1));
}

export const useUnderWay = (name: string): boolean => useSyncExternalStore(subscribe, () => (counts.get(name) ?? 0) > 0);
