import { type Dispatch, type SetStateAction, useCallback, useMemo, useSyncExternalStore } from 'react';
import type { Owed } from './intent.ts';

const listeners = new Set<() => void>();

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

function keep(key: string, state: unknown): void {
  sessionStorage.setItem(key, JSON.stringify(state));
  for (const listener of listeners) listener();
}

const keyOf = (name: string) => `store-admin-${name}`;

/** What a tab keeps under `name`, as a map of texts. */
export function keptTexts(name: string): Owed {
  const key = keyOf(name);
  const all = () => new Map(Object.entries(JSON.parse(sessionStorage.getItem(key) ?? '{}') as Record<string, string>));
  const change = <Done>(work: (texts: Map<string, string>) => Done): Done => {
    const texts = all();
    const done = work(texts);
    keep(key, Object.fromEntries(texts));
    return done;
  };
  return {
    get: (name) => all().get(name),
    set: (name, text) => change((texts) => texts.set(name, text)),
    delete: (name) => change((texts) => texts.delete(name)),
    clear: () => change((texts) => texts.clear()),
    get size() {
      return all().size;
    },
  };
}

/**
 * State that this tab keeps over a reload and over a visit to another page, also when it is set after its page was left. `name` tells
 * whose it is; `initial` is one object.
 */
export function useKept<State>(name: string, initial: State): [State, Dispatch<SetStateAction<State>>] {
  const key = keyOf(name);
  const read = useCallback(() => sessionStorage.getItem(key), [key]);
  const parsed = useCallback((text: string | null) => (text === null ? initial : (JSON.parse(text) as State)), [initial]);
  const text = useSyncExternalStore(subscribe, read);
  const state = useMemo(() => parsed(text), [parsed, text]);
  const set = useCallback(
    (next: SetStateAction<State>) => {
      keep(key, next instanceof Function ? next(parsed(read())) : next);
    },
    [key, read, parsed],
  );
  return [state, set];
}
