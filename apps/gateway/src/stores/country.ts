/** The country of a store, by which phones without a country code are read (D280). */
import { isCountry } from '@store/input';

declare global {
  namespace Intl {
    interface Locale {
      getTimeZones(): string[] | undefined;
    }
  }
}

const canonical = (timeZone: string) => new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone;
const letters = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ'];

/** Every zone that belongs to a country, and its country's code. */
const countriesByZone = () =>
  new Map(
    letters
      .flatMap((first) => letters.map((second) => `${first}${second}`))
      .filter(isCountry)
      .flatMap((code) => (new Intl.Locale(`und-${code}`).getTimeZones() ?? []).map((timeZone) => [timeZone, code] as const)),
  );
/** Made when it is first asked for: it takes 80 ms of the start. */
let countries: Map<string, string> | undefined;

/** What the settings say, otherwise the country that the time zone belongs to; zones such as UTC belong to none. */
export function countryOf(set: string | null | undefined, timeZone: string): string | undefined {
  return set ?? countryOfZone(canonical(timeZone));
}

function countryOfZone(timeZone: string): string | undefined {
  countries ??= countriesByZone();
  return countries.get(timeZone);
}
