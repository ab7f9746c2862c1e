import { type RefObject, useEffect, useRef } from 'react';
import { Burst, leadMaxMs } from '../parts/scanner.ts';

/** No hand is so fast: what it presses or touches sooner is another hand's, in the middle of a code. */
const handMinMs = 60;

/**
 * Keys of the till. They act outside of fields and in the empty search, where they are no text, and only while no dialog is open: a form
 * whose fields are locked has lost the focus. A key such as `+` may begin a code: it acts once it is known that it does not. What else is
 * typed outside of fields, a short code or the `3*` before one, goes into the search.
 */
export function useTillKeys(keys: Record<string, () => void>, search: RefObject<HTMLInputElement | null>): void {
  const latest = useRef(keys);
  latest.current = keys;
  useEffect(() => {
    const burst = new Burst();
    /** `at`: of the last key behind it. */
    let pending: { key: string; at: number; timer: ReturnType<typeof setTimeout> } | undefined;
    const settle = (isOfCode = false) => {
      const { key, timer } = pending ?? {};
      pending = undefined;
      clearTimeout(timer);
      if (key !== undefined && !isOfCode) latest.current[key]?.();
    };
    /** Of what a hand does at that time. */
    const settleBefore = (at: number) => {
      if (pending && at - pending.at > handMinMs) settle();
    };
    const wait = (key: string, at: number) => {
      clearTimeout(pending?.timer);
      pending = { key, at, timer: setTimeout(settle, leadMaxMs) };
    };
    const listen = (event: KeyboardEvent) => {
      const { key, timeStamp: at } = event;
      const isChord = event.ctrlKey || event.metaKey || event.altKey;
      // By these a sale goes: what was pressed before them counts first.
      if (/^F\d+$/.test(key) || (key === 'Enter' && isChord)) return settleBefore(at);
      // Shift is of a capital letter in a code.
      if (isChord || key === 'Shift') return;
      const { code, lead } = burst.key({ key, at });
      if (pending) {
        if (code !== undefined) settle(`${lead}${code}`.startsWith(pending.key));
        // The same key twice is a hand's.
        else if (key.length === 1 && key !== pending.key && at - pending.at <= leadMaxMs) wait(pending.key, at);
        else settle();
      }
      if (isText(document.activeElement) || document.querySelector('[role="dialog"]')) return;
      const run = latest.current[key];
      if (!run) {
        // A space presses the button that has the focus.
        if (key.length === 1 && key !== ' ') search.current?.focus();
        return;
      }
      event.preventDefault();
      // No code begins with Escape or Delete.
      if (key.length > 1) return run();
      wait(key, at);
    };
    // Before an Escape closes the dialog that it is meant for.
    window.addEventListener('keydown', listen, { capture: true });
    // What is touched behind a key is of what it did.
    const touched = (event: PointerEvent) => settleBefore(event.timeStamp);
    window.addEventListener('pointerdown', touched, { capture: true });
    return () => {
      clearTimeout(pending?.timer);
      window.removeEventListener('pointerdown', touched, { capture: true });
      window.removeEventListener('keydown', listen, { capture: true });
    };
  }, [search]);
}

function isText(field: Element | null): boolean {
  if (field instanceof HTMLInputElement) return !field.matches('[data-takes-codes]') || field.value !== '';
  return field instanceof HTMLTextAreaElement;
}
