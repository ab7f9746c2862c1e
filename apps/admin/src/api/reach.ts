/** Whether the store answers. Any answer says that it does, an error too. */
import { useSyncExternalStore } from 'react';
import { listeners } from './listeners.ts';

let isAway = false;
const { subscribe, tell } = listeners();

export const reach = {
  note(away: boolean): void {
    if (away === isAway) return;
    isAway = away;
    tell();
  },
};

export function useIsAway(): boolean {
  return useSyncExternalStore(subscribe, () => isAway);
}
