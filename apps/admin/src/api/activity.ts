/** Whether somebody is using this page: pages that refresh themselves must not keep an abandoned session alive. */
let lastAt = Date.now();
for (const kind of ['pointerdown', 'keydown'] as const) window.addEventListener(kind, () => (lastAt = Date.now()), { passive: true });

const activeMs = 10 * 60_000;

/** A refetch interval that pauses when nobody has touched the page for ten minutes. */
export function whileActive(everyMs: number): () => number | false {
  return () => (Date.now() - lastAt < activeMs ? everyMs : false);
}
