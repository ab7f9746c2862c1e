/** Whether somebody is using this page: pages that refresh themselves must not keep an abandoned session alive. */
let lastAt = Date.now();
for (const kind of ['pointerdown', 'keydown'] as const) window.addEventListener(kind, () => (lastAt = Date.now()), { passive: true });

const activeMs = 60_000;

/** Somebody touched the page within a minute, or opened it. */
export function isInUse(): boolean {
  return Date.now() - lastAt < activeMs;
}
