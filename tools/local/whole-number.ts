import { InvalidArgumentError } from 'commander';

/** Reads an option of commander: a whole number with these bounds. */
export function wholeNumber(min: number, max: number): (text: string) => number {
  return (text) => {
    if (!/^\d{1,9}$/.test(text) || Number(text) < min || Number(text) > max) throw new InvalidArgumentError(`It must be ${min} to ${max}.`);
    return Number(text);
  };
}
