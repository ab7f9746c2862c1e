/** Whether the store answers. Any answer says that it does, an error too. */
import { useSyncExternalStore } from 'react';

let isAway = false;
const listeners = new Set<() => void>();

export const reach = {
  note(away: boolean): void {
    if (away === isAway) return;
    isAway = away;
    for (const listener of listeners) listener();
  },
};

export function useIsAway(): boolean {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => isAway,
  );
}
