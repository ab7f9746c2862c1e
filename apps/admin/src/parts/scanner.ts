/** Tells a scanner from a hand: a scanner types a whole code within milliseconds, and Enter behind it. */

const charactersMin = 2;
/** No hand types this few so fast: a quantity, or cash. */
const shortMax = 3;
const shortGapMaxMs = 12;
/** Shorter ones are scans without a point: a store's own codes have none, an amount may. */
const amountsMax = 5;
/** On average; no hand types a whole code so fast. */
const gapMaxMs = 30;
/** A pause this long parts a scan from what was typed before it. */
const pauseMs = 100;
/** Unless what was typed before it is as fast as a scanner: then a busy machine or radio held the rest of the code back. */
const stallMaxMs = 1_000;

export interface Typed {
  key: string;
  /** Of the event, in milliseconds. */
  at: number;
}

/** The characters typed so far without a pause, and the code once Enter ends a scan. */
export class Burst {
  #text = '';
  /** Milliseconds between its characters. */
  #spent = 0;
  #last = Number.NEGATIVE_INFINITY;

  /** `begins`: this key begins a burst, and what a field held before it is to be kept. */
  key({ key, at }: Typed): { begins: boolean; code: string | undefined } {
    // Keys such as F4 are no part of a code, nor is the time since.
    if (key.length > 1 && key !== 'Enter' && key !== 'Shift') this.#last = Number.NEGATIVE_INFINITY;
    if (key.length > 1 && key !== 'Enter') return { begins: false, code: undefined };
    const gap = at - this.#last;
    const begins = gap > pauseMs && !(gap <= stallMaxMs && this.#isFast());
    if (begins) {
      this.#text = '';
      this.#spent = 0;
    }
    if (gap <= pauseMs) this.#spent += gap;
    this.#last = at;
    if (key !== 'Enter') this.#text += key;
    if (key !== 'Enter') return { begins, code: undefined };
    const text = this.#text;
    this.#last = Number.NEGATIVE_INFINITY;
    const isCode = text.length >= charactersMin && (text.length > amountsMax || !/[.,]/.test(text));
    return { begins, code: isCode && this.#isFast() ? text : undefined };
  }

  #isFast(): boolean {
    const { length } = this.#text;
    return length >= charactersMin && this.#spent <= (length <= shortMax ? shortGapMaxMs : gapMaxMs) * length;
  }
}

/** Fields that take scans themselves, such as a gift card's number. */
export const takesScans = { 'data-takes-scans': true };
/** Fields for codes: `3*` or `1,5*` that stands in them is of the code that is scanned behind it. */
export const takesCodes = { 'data-takes-codes': true };
const times = /^\s*\d{1,4}([.,]\d{1,3})?\*./;

/** Whether all that stood in a field is of the `3*` before the code; a slow machine may have cut it off anywhere. */
export const isOfTimes = (text: string, code: string): boolean => /^[\s\d.,]*\*?$/.test(text) && times.test(`${text}${code}`);

/** Scans among the keys of a page or a form, each with what the fields held that it has gone through. */
export class Scans {
  readonly #burst = new Burst();
  /** A dialog may open in the middle of a burst. */
  #before = new Map<Field, string>();

  /** `field`: what has the focus. Undefined: this key ends no scan. */
  key(event: KeyboardEvent, field: Element | null): { code: string; before: Map<Field, string> } | undefined {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return undefined;
    const { begins, code } = this.#burst.key({ key: event.key, at: event.timeStamp });
    if (begins) this.#before = new Map();
    if (isText(field) && !this.#before.has(field)) this.#before.set(field, field.value);
    return code === undefined ? undefined : { code, before: this.#before };
  }
}

interface ScannerOptions {
  /** A field of a dialog keeps what is scanned into it. */
  leavesDialogs?: boolean;
}

/**
 * Hears every key of the page; what a scanner typed into a field is taken out again. `whole`: with what stood before it in a field for
 * codes, of which a slow scanner may have typed the beginning. Returns how to stop.
 */
export function listenToScanner(
  onScan: (code: string, whole?: string) => void,
  { leavesDialogs = false }: ScannerOptions = {},
): () => void {
  const scans = new Scans();
  const listen = (event: KeyboardEvent) => {
    const field = document.activeElement;
    const scan = scans.key(event, field);
    if (!scan || field?.closest('[data-takes-scans]') || (leavesDialogs && isText(field) && field.closest('[role=dialog]'))) return;
    const { code, before } = scan;
    event.preventDefault();
    event.stopPropagation();
    let begin = '';
    let whole: string | undefined;
    for (const [one, text] of before) {
      const isOfCodes = one.matches('[data-takes-codes]') && text !== '';
      const isTimes = isOfCodes && isOfTimes(text, code);
      if (isTimes) begin = text;
      else if (isOfCodes) whole = `${text}${code}`;
      setText(one, isTimes ? '' : text);
    }
    onScan(`${begin}${code}`, whole);
  };
  // Before any field or button hears it.
  document.addEventListener('keydown', listen, { capture: true });
  return () => document.removeEventListener('keydown', listen, { capture: true });
}

/** Takes the beginning of a code out of the fields for codes: the scanner had typed it slowly, and the keys of the till are text there. */
export function takeOutBeginning(whole: string): void {
  for (const field of document.querySelectorAll<HTMLInputElement>('[data-takes-codes]')) {
    if (field.value !== '' && whole.startsWith(field.value)) setText(field, '');
  }
}

type Field = HTMLInputElement | HTMLTextAreaElement;

function isText(field: Element | null): field is Field {
  return field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement;
}

/** As if it had been typed: React hears of a value only through the field's own setter. */
export function setText(field: Field, text: string): void {
  const owner = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  Object.getOwnPropertyDescriptor(owner, 'value')!.set!.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
