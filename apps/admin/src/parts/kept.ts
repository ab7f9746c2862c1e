import { type Dispatch, type SetStateAction, useEffect, useState } from 'react';

/** State that this tab keeps over a reload and over a visit to another page. `name` tells whose it is. */
export function useKept<State>(name: string, initial: State): [State, Dispatch<SetStateAction<State>>] {
  const key = `store-admin-${name}`;
  const [state, setState] = useState<State>(() => {
    const text = sessionStorage.getItem(key);
    return text === null ? initial : (JSON.parse(text) as State);
  });
  useEffect(() => sessionStorage.setItem(key, JSON.stringify(state)), [key, state]);
  return [state, setState];
}
