/** Who hears of a change of what a module holds; `subscribe` is useSyncExternalStore's. */
export function listeners() {
  const all = new Set<() => void>();
  return {
    subscribe: (listener: () => void): (() => void) => {
      all.add(listener);
      return () => all.delete(listener);
    },
    tell: (): void => {
      for (const listener of all) listener();
    },
  };
}
