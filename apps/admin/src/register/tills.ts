/** The tills of this tab by their names. A page that is left and opened anew has the same one: the answers to both count in it. */

import { useState, useSyncExternalStore } from 'react';
import { keep, keptAs } from '../api/kept.ts';
import { listeners } from '../api/listeners.ts';
import { emptyTill, type Till } from './till.ts';
import { freed } from './till-after.ts';

const tills = new Map<string, Till>();
const { subscribe, tell } = listeners();

export function tillOf(name: string): Till {
  const till = tills.get(name) ?? { ...emptyTill, ...keptAs<Partial<Till>>(name, {}) };
  tills.set(name, till);
  return till;
}

export function keepTill(name: string, till: Till): void {
  tills.set(name, till);
  keep(name, till);
  tell();
}

/** What was sent, and only that, is under way still on a page that is opened anew. */
function open(name: string): void {
  const till = tillOf(name);
  const { work } = till;
  if (work?.kind === 'send') keepTill(name, { ...till, work: { ...work, sending: { ...work.sending, isAgain: true } } });
  else keepTill(name, work ? freed(till) : till);
}

export function useTillOf(name: string): Till {
  useState(() => open(name));
  return useSyncExternalStore(subscribe, () => tillOf(name));
}
