/**
 * The panel's texts stand in English in the source; a dictionary gives each of them in another language. It is loaded before the
 * files that say anything, so that texts are plain values; another language is a reload of the page. Values and plurals are all that
 * the texts need; a library for them would add 13 kB to each first page.
 */
import { apiForms, valuesOf } from './api-forms.ts';

export const languages = { en: 'English', fr: 'Français', es: 'Español' } as const;

export type Language = keyof typeof languages;

/** English text, and what it is in the language. */
export type Words = Record<string, string>;

export let language: Language = 'en';
let words: Words = {};

export function speak(next: Language, dictionary: Words): void {
  language = next;
  words = dictionary;
}

type Values = Record<string, string | number | null | undefined>;

/** `{name}` stands for the value of that name. `Open|verb` tells one meaning of a text from another; English shows what is before `|`. */
export function t(english: string, values: Values = {}): string {
  const text = words[english] ?? english.split('|')[0]!;
  return text.replace(/\{(\w+)\}/g, (_, name: string) => String(values[name] ?? ''));
}

/** What the API says, in the language where its dictionary has it: names, and messages that staff meet (api-texts.json). */
export function fromApi(text: string): string {
  return language === 'en' ? text : (worded(text) ?? ofField(text) ?? text);
}

function worded(message: string): string | undefined {
  if (words[message] !== undefined) return words[message];
  for (const form of apiForms) {
    const { amount, ...values } = valuesOf(form, message) ?? {};
    if (amount ?? values.card) return t(form, { ...values, amount: amount?.replace('.', ',') });
  }
  return undefined;
}

/** A field and what is wrong with it. */
function ofField(message: string): string | undefined {
  for (let at = message.indexOf(' '); at > 0; at = message.indexOf(' ', at + 1)) {
    const [field, fault] = [words[message.slice(0, at)], worded(message.slice(at + 1))];
    if (field && fault) return `${field} ${fault}`;
  }
  return undefined;
}

/** `t` of what is counted, which `{count}` stands for. */
export function counted(count: number, one: string, other: string, values: Values = {}): string {
  const isOne = new Intl.PluralRules(language).select(count) === 'one';
  return t(isOne ? one : other, { count: numberText(count), ...values });
}

export function numberText(value: number): string {
  return value.toLocaleString(locale());
}

/** Of dates and numbers: English ones have the day before the month. */
export function locale(): string {
  return language === 'en' ? 'en-GB' : language;
}
