/** What is on the page, and would be lost. */
const atStake = new Set<AtStake>();

export interface AtStake {
  /** What is lost; absent: what was typed. */
  lost: string | undefined;
}

/** Returns how it is no more. */
export function putAtStake(lost: string | undefined): () => void {
  const own = { lost };
  atStake.add(own);
  return () => atStake.delete(own);
}

/** What came last; undefined: nothing is lost. */
export const lastAtStake = (): AtStake | undefined => [...atStake].at(-1);
