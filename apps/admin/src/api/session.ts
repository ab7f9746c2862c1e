/**
 * Who is signed in. The session's token is in a cookie that scripts cannot read; what is kept here is its CSRF token, which the
 * API needs beside the cookie for every change, and the user. All tabs share it.
 */
import { useSyncExternalStore } from 'react';
import { lastAtStake } from './at-stake.ts';
import type { Schemas } from './gen/api.js';
import { listeners } from './listeners.ts';

export interface Session {
  user: Schemas['StaffUser'];
  csrfToken: string;
  /** The session ends then at the latest. */
  expiresAt: string;
  /** The store demands a second factor that this person has not set up yet. */
  lacksSecondFactor?: boolean;
  /** It ended by itself: the page stays as it is, and the person signs in over it. */
  lapsed?: boolean;
}

export type Role = Schemas['StaffUser']['role'];

const storageKey = 'store-admin-session';
let current: Session | undefined = read();
const { subscribe, tell } = listeners();

function read(): Session | undefined {
  const text = localStorage.getItem(storageKey);
  if (!text) return undefined;
  // The store says again whether it lacks a second factor: it may have been set up as the page was left.
  const { lacksSecondFactor: _lacked, ...session } = JSON.parse(text) as Session;
  return Date.parse(session.expiresAt) > Date.now() && !session.lapsed ? session : undefined;
}

/** Who signs in again has still to set up a second factor, and may have its recovery codes on the page, which are shown only now. */
const ofSamePerson = (next: Session): Session =>
  current?.lacksSecondFactor && current.user.id === next.user.id ? { lacksSecondFactor: true, ...next } : next;

window.addEventListener('storage', ({ key }) => {
  if (key !== storageKey) return;
  const text = localStorage.getItem(storageKey);
  // Of a session that lapsed in another tab this one keeps its page as well; of one that was ended there, what would be lost here.
  if (text === null) current = current && lastAtStake() ? { ...current, lapsed: true } : undefined;
  else {
    const { lacksSecondFactor, ...next } = JSON.parse(text) as Session;
    // What is shown only now stays where it is, also when the other tab knows that there is a second factor.
    current = ofSamePerson(lastAtStake() || lacksSecondFactor === undefined ? next : { ...next, lacksSecondFactor });
  }
  tell();
});

export const session = {
  get: () => current,
  begin(next: Session): void {
    current = ofSamePerson(next);
    localStorage.setItem(storageKey, JSON.stringify(current));
    tell();
  },
  /** What became known of the session since it began. */
  learn(known: Partial<Session>): void {
    if (current) session.begin({ ...current, ...known });
  },
  /** It expired or was ended elsewhere. */
  lapse(): void {
    if (current && !current.lapsed) session.begin({ ...current, lapsed: true });
  },
  /** The person signed out. */
  end(): void {
    current = undefined;
    localStorage.removeItem(storageKey);
    tell();
  },
};

export function useSession(): Session | undefined {
  return useSyncExternalStore(subscribe, () => current);
}

/** What this tab keeps of the person signed in, by its name. */
export const useOwn = (name: string): string => `${name}-${useSession()?.user.id}`;

const ranks: Record<string, number> = { '': 0, clerk: 1, manager: 2, admin: 3 };

export function hasRole(user: { role: string } | undefined, least: string): boolean {
  return (ranks[user?.role ?? ''] ?? 0) >= (ranks[least] ?? 0);
}

/** Whether the person signed in may do what needs this role. */
export function useMay(least: Role): boolean {
  return hasRole(useSession()?.user, least);
}
