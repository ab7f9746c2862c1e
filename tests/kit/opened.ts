/**
 * Keeps what was opened, so that it is closed with the rest even when another part fails to open. `close`: where it has no method of that
 * name.
 */
export interface Opened {
  <One extends { close(): Promise<void> }>(opening: Promise<One>): Promise<One>;
  <One>(opening: Promise<One>, close: (one: One) => Promise<void>): Promise<One>;
}

/** What it opens is closed by `parts.disposeAsync()`: the last one first, and each even when another fails to close. */
export const openedIn =
  (parts: AsyncDisposableStack): Opened =>
  async <One>(opening: Promise<One>, close: (one: One) => Promise<void> = closeOf) =>
    parts.adopt(await opening, close);

const closeOf = (one: unknown) => (one as { close(): Promise<void> }).close();
