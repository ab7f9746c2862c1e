import { useMemo, useSyncExternalStore } from 'react';
import type { Owed } from './intent.ts';
import { listeners } from './listeners.ts';

const { subscribe, tell } = listeners();

const keyOf = (name: string) => `store-admin-${name}`;

/** What this tab keeps under `name`, over a reload and over a visit to another page. */
export function keptAs<State>(name: string, initial: State): State {
  const text = sessionStorage.getItem(keyOf(name));
  return text === null ? initial : (JSON.parse(text) as State);
}

export function keep(name: string, state: unknown): void {
  sessionStorage.setItem(keyOf(name), JSON.stringify(state));
  tell();
}

/** What a tab keeps under `name`, as a map of texts. */
export function keptTexts(name: string): Owed {
  const all = () => new Map(Object.entries(keptAs<Record<string, string>>(name, {})));
  const change = <Done>(work: (texts: Map<string, string>) => Done): Done => {
    const texts = all();
    const done = work(texts);
    keep(name, Object.fromEntries(texts));
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

/** State that this tab keeps, also when it is set after its page was left. `name` tells whose it is; `initial` is one object. */
export function useKept<State>(name: string, initial: State): [State, (next: (before: State) => State) => void] {
  const text = useSyncExternalStore(subscribe, () => sessionStorage.getItem(keyOf(name)));
  // biome-ignore lint/correctness/useExhaustiveDependencies: what is kept is its text.
  const state = useMemo(() => keptAs(name, initial), [text, name]);
  return [state, (next) => keep(name, next(keptAs(name, initial)))];
}
