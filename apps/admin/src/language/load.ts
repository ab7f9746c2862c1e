/** Which language the panel speaks: the store's `locale`, and before anybody signed in here the browser's. */
import { type Language, language, languages, speak, type Words } from './t.ts';

const storageKey = 'store-admin-language';

const dictionaries: Record<Exclude<Language, 'en'>, () => Promise<{ default: Words }>> = {
  fr: () => import('./fr.json'),
  es: () => import('./es.json'),
};

const isLanguage = (text: string | null): text is Language => text !== null && text in languages;

/** Comes before every file that says something. */
export async function loadLanguage(): Promise<void> {
  const kept = localStorage.getItem(storageKey);
  const wanted = isLanguage(kept) ? kept : navigator.language.slice(0, 2);
  if (!isLanguage(wanted) || wanted === 'en') return;
  const { default: words } = await dictionaries[wanted]();
  speak(wanted, words);
  document.documentElement.lang = wanted;
}

let isSettled = false;

/** The store's language, whenever it is read. The page is loaded anew at once, but never while somebody works in it. */
export function followStore(locale: string): void {
  if (!isLanguage(locale)) return;
  localStorage.setItem(storageKey, locale);
  if (!isSettled && locale !== language) window.location.reload();
  isSettled = true;
}
