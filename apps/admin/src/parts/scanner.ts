/** Tells a scanner from a hand: a scanner types a whole code within milliseconds, and Enter or Tab behind it. */
import { useEffect, useRef } from 'react';

const charactersMin = 2;
/** Of so few, such as a quantity or cash, no gap is longer. */
const shortMax = 3;
/** Shorter ones are scans without a point: a store's own codes have none, an amount may. */
const amountsMax = 5;
/** One key of a number pad may type two or three. */
const keyOfZeros = /^0+$/;
/** On average; no hand types a whole code so fast. */
const gapMaxMs = 30;
/** A pause this long parts a scan from what was typed before it. */
export const pauseMs = 100;
/** Unless what was typed before it is as fast as a scanner: then a busy machine or radio held the rest of the code back. */
const stallMaxMs = 1_000;
/** A scanner may stall for so long behind its first key or before its line feed; a hand takes longer between a key and a scan. */
export const leadMaxMs = 300;

export interface Typed {
  key: string;
  /** Of the event, in milliseconds. */
  at: number;
}

/** Ends a code: what the scanner is set to. */
const isEnd = (key: string): boolean => key === 'Enter' || key === 'Tab';

/** Another hand may press these in the middle of a scan, and they change no text. */
const keysOfTheTill = /^(F\d+|Escape)$/;

/** The characters typed so far without a pause, and the code once Enter or Tab ends a scan. */
export class Burst {
  #text = '';
  /** What was typed shortly before them. A scanner that stalls behind its first key was no faster than a hand until then. */
  #lead = '';
  /** Milliseconds between its characters, and the longest of these gaps: one may be longer on a busy machine or radio. */
  #spent = 0;
  #longest = 0;
  #last = Number.NEGATIVE_INFINITY;

  /** `begins`: this key begins a burst, and what a field held before it is to be kept; `lead` was typed shortly before the burst. */
  key({ key, at }: Typed): { begins: boolean; code: string | undefined; lead: string } {
    // What moves or removes text ends a burst.
    if (key.length > 1 && !isEnd(key) && key !== 'Shift' && !keysOfTheTill.test(key)) this.#last = Number.NEGATIVE_INFINITY;
    if (key.length > 1 && !isEnd(key)) return { begins: false, code: undefined, lead: this.#lead };
    const gap = at - this.#last;
    const begins = gap > pauseMs && !(gap <= stallMaxMs && this.#mayBeStalled());
    if (begins) {
      this.#lead = gap <= leadMaxMs ? this.#lead + this.#text : '';
      this.#text = '';
      this.#spent = 0;
      this.#longest = 0;
    }
    if (gap <= pauseMs) {
      this.#spent += gap;
      this.#longest = Math.max(this.#longest, gap);
    }
    this.#last = at;
    const lead = this.#lead;
    if (!isEnd(key)) {
      this.#text += key;
      return { begins, code: undefined, lead };
    }
    const text = this.#text;
    this.#last = Number.NEGATIVE_INFINITY;
    const mayBeAmount = text.length <= amountsMax && (/[.,]/.test(text) || keyOfZeros.test(text));
    const isCode = text.length >= charactersMin && !mayBeAmount;
    return { begins, code: isCode && this.#isFast() ? text : undefined, lead };
  }

  /** The beginning of a code is as fast as all of it; two fingers of a hand on two keys are slower. */
  #mayBeStalled(): boolean {
    const { length } = this.#text;
    return length >= charactersMin && this.#spent <= gapMaxMs * (length - 1);
  }

  #isFast(): boolean {
    const { length } = this.#text;
    if (length < charactersMin) return false;
    return (length <= shortMax ? this.#spent : this.#spent - this.#longest) <= gapMaxMs * length;
  }
}

/** Fields that take scans themselves, such as a gift card's number. */
export const takesScans = { 'data-takes-scans': true };
/** A field of one code: what is scanned takes the place of what it held. */
export const holdsCode = { 'data-holds-code': true };
/** Fields for codes: `3*` or `1,5*` that stands in them is of the code that is scanned behind it. */
export const takesCodes = { 'data-takes-codes': true };
const times = /^\s*\d{1,4}([.,]\d{1,3})?\*(?=.)/;

/** Whether all that stood in a field is of the `3*` before the code; a slow machine may have cut it off anywhere. */
export const isOfTimes = (text: string, code: string): boolean => /^[\s\d.,]*\*?$/.test(text.trimEnd()) && times.test(`${text}${code}`);

/** A code with what the fields held that it has gone through; `lead` may be its beginning, with what they held before that. */
export interface Scanned {
  code: string;
  before: Texts;
  lead: string;
  beforeLead: Texts;
}

type Texts = Map<Field, string>;

/** When a character was typed last, with no Enter behind it. */
let typedAt = Number.NEGATIVE_INFINITY;

/**
 * Resolves when no scan is being typed: at its end its field is given back what it held before, whatever came meanwhile. The scanner may
 * have stalled; `quietMs`: how long that is waited for.
 */
export async function betweenScans(quietMs = leadMaxMs): Promise<void> {
  for (;;) {
    const left = typedAt + quietMs - performance.now();
    if (left <= 0) return;
    await new Promise((done) => setTimeout(done, left));
  }
}

/** Scans among the keys of a page or a form. */
export class Scans {
  readonly #burst = new Burst();
  /** A dialog may open in the middle of a burst. */
  #before: Texts = new Map();
  #beforeLead: Texts = new Map();
  #endedAt = Number.NEGATIVE_INFINITY;

  /** A scanner's line feed behind the Enter of its code: Enter once more, or Ctrl+J. */
  isRest({ key, ctrlKey, timeStamp }: KeyboardEvent): boolean {
    const sinceMs = timeStamp - this.#endedAt;
    return sinceMs >= 0 && sinceMs <= leadMaxMs && (key === 'Enter' || (ctrlKey && key === 'j'));
  }

  /** `field`: what has the focus. Undefined: this key ends no scan. */
  key(event: KeyboardEvent, field: Element | null): Scanned | undefined {
    if (event.ctrlKey || event.metaKey || event.altKey || event.isComposing) return undefined;
    if (isEnd(event.key)) typedAt = Number.NEGATIVE_INFINITY;
    else if (event.key.length === 1) typedAt = performance.now();
    const { begins, code, lead } = this.#burst.key({ key: event.key, at: event.timeStamp });
    if (begins) this.#before = new Map();
    if (begins && lead === '') this.#beforeLead = new Map();
    for (const texts of [this.#before, this.#beforeLead]) if (isText(field) && !texts.has(field)) texts.set(field, field.value);
    this.#endedAt = code === undefined ? Number.NEGATIVE_INFINITY : event.timeStamp;
    return code === undefined ? undefined : { code, before: this.#before, lead, beforeLead: this.#beforeLead };
  }
}

/** An e-mail that a badge types: it begins a sign-in, and no product is meant. */
const isAddress = (field: Element | null, { code, before }: Scanned): boolean =>
  isText(field) && field.type === 'email' && (code.includes('@') || (field.value.includes('@') && !before.get(field)?.includes('@')));

/** Nothing else hears the key. */
export function end(event: Pick<KeyboardEvent, 'preventDefault' | 'stopPropagation'>): void {
  event.preventDefault();
  event.stopPropagation();
}

/**
 * Hears every key of the page; what a scanner typed into a field is taken out again. `whole`: with what stood before it in a field for
 * codes, of which a slow scanner may have typed the beginning. Returns how to stop.
 */
function listenToScanner(onScan: (code: string, whole?: string) => void, leavesDialogs: boolean): () => void {
  const scans = new Scans();
  const listen = (event: KeyboardEvent) => {
    if (scans.isRest(event)) return end(event);
    const field = document.activeElement;
    const scan = scans.key(event, field);
    if (
      !scan ||
      field?.closest('[data-takes-scans]') ||
      isAddress(field, scan) ||
      (leavesDialogs && isText(field) && field.closest('[role=dialog]'))
    )
      return;
    const { code, before, lead, beforeLead } = scan;
    end(event);
    let begin = '';
    let whole: string | undefined;
    for (const [one, text] of before) {
      const isOfCodes = one.matches('[data-takes-codes]') && text !== '';
      const isTimes = isOfCodes && isOfTimes(text, code);
      if (isTimes) begin = text;
      else if (isOfCodes) whole = `${text}${code}`;
      setText(one, isTimes ? '' : text);
    }
    ledBy = undefined;
    if (whole === undefined && begin === '' && /^[^*]+$/.test(lead)) {
      whole = `${lead}${code}`;
      ledBy = { whole, fields: [...beforeLead].map(([field, text]) => ({ field, text, now: field.value })) };
    }
    onScan(`${begin}${code}`, whole);
  };
  // Before any field or button hears it.
  document.addEventListener('keydown', listen, { capture: true });
  return () => document.removeEventListener('keydown', listen, { capture: true });
}

/** Takes what a scanner types while this is on the page, whatever field has the focus; `leavesDialogs`: but for those of a dialog. */
export function useScans(onScan: (code: string, whole?: string) => void, leavesDialogs = false): void {
  const heard = useRef(onScan);
  heard.current = onScan;
  useEffect(() => listenToScanner((code, whole) => heard.current(code, whole), leavesDialogs), [leavesDialogs]);
}

/** The last scan that may have begun in a field which takes no codes: what the fields held before it, and behind it. */
let ledBy: { whole: string; fields: { field: Field; text: string; now: string }[] } | undefined;

/** Takes the beginning of a code out of the fields: the scanner had typed it slowly, and the keys of the till are text there. */
export function takeOutBeginning(whole: string): void {
  takeOutLead(whole);
  for (const field of document.querySelectorAll<HTMLInputElement>('[data-takes-codes]')) {
    const begin = field.value.replace(times, '');
    if (begin !== '' && whole.startsWith(begin)) setText(field, '');
  }
}

/** What was typed just before a scan; of a code that nothing has it is the beginning too. Whether there was any. */
export function takeOutLead(whole: string | undefined): boolean {
  if (ledBy === undefined || ledBy.whole !== whole) return false;
  // Somebody may have typed there since.
  const untouched = ledBy.fields.filter(({ field, now }) => field.value === now);
  for (const { field, text } of untouched) setText(field, text);
  ledBy = undefined;
  // The digit of the code was counted already.
  if (untouched.some(({ field }) => field === document.activeElement)) takeTyped();
  return true;
}

/** A quantity that is being typed is of what was there before the scan. */
export function takeTyped(): void {
  const field = document.activeElement;
  if (!(field instanceof HTMLInputElement) || !field.matches('[data-counts-on-blur]')) return;
  field.blur();
  field.focus();
}

type Field = HTMLInputElement | HTMLTextAreaElement;

export function isText(field: Element | null): field is Field {
  return field !== null && (field instanceof HTMLInputElement || field instanceof HTMLTextAreaElement);
}

/** As if it had been typed: React hears of a value only through the field's own setter. */
export function setText(field: Field, text: string): void {
  const owner = field instanceof HTMLInputElement ? HTMLInputElement.prototype : HTMLTextAreaElement.prototype;
  Object.getOwnPropertyDescriptor(owner, 'value')!.set!.call(field, text);
  field.dispatchEvent(new Event('input', { bubbles: true }));
}
