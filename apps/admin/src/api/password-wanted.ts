/** Asks for the password over the page when the API wants it given again; every request that waits is repeated then. */
import { useSyncExternalStore } from 'react';
import { listeners } from './listeners.ts';

/** The text of the API's 403. */
export const passwordWanted = 'Password confirmation required';

let asked: { given: Promise<boolean>; answer: (given: boolean) => void } | undefined;
const { subscribe, tell } = listeners();

function become(next: typeof asked): void {
  asked = next;
  tell();
}

/** Whether the person gave it. */
export function askPassword(): Promise<boolean> {
  if (!asked) {
    let answer: (given: boolean) => void = () => undefined;
    const given = new Promise<boolean>((resolve) => {
      answer = resolve;
    });
    become({ given, answer });
  }
  return asked!.given;
}

export function answerPassword(given: boolean): void {
  asked?.answer(given);
  become(undefined);
}

export function usePasswordWanted(): boolean {
  return useSyncExternalStore(subscribe, () => asked !== undefined);
}
