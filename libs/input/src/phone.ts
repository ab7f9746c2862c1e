/** Telephone numbers: which texts are the same number, and in which digits it may have been written down (D280). */
import {
  type CountryCode,
  getCountryCallingCode,
  isSupportedCountry,
  type PhoneNumber,
  parsePhoneNumberFromString,
} from 'libphonenumber-js/min';

/** "a query with 7 or more digits also matches phone numbers with formatting stripped" */
const soughtDigitsMin = 7;

/** What is dialled before a country code where no plus is. */
const internationalPrefixes = ['00', '011'];

export const digitsOf = (phone: string): string => phone.replace(/\D/g, '');

/** A code of ISO 3166 with two letters, of a country that has telephone numbers. */
export function isCountry(code: string): code is CountryCode {
  return isSupportedCountry(code);
}

/** `country` is that of the store; '' where it is not known, and only a plus then gives the number. */
function parsed(phone: string, country: string): PhoneNumber | undefined {
  const number = parsePhoneNumberFromString(phone, isCountry(country) ? country : undefined);
  return number?.isPossible() ? number : undefined;
}

/** In E.164 without the plus where the country or a plus gives it, otherwise the digits; the same for every text of one number. */
export function phoneNumberOf(phone: string, country: string): string {
  const number = parsed(phone, country);
  if (!number) return digitsOf(phone);
  return `${digitsOf(number.number)}${number.ext ? `x${number.ext}` : ''}`;
}

/** The digits of every usual way to write the number; a text with such digits may still be another number. */
export function writtenDigits(phone: string, country: string): string[] {
  const number = parsed(phone, country);
  if (!number) return [digitsOf(phone)];
  const { countryCallingCode: code, nationalNumber, ext = '' } = number;
  const national = [`${nationalNumber}${ext}`, digitsOf(number.formatNational())];
  const before = ['', code, ...internationalPrefixes.map((prefix) => `${prefix}${code}`)];
  return [...new Set([digitsOf(phone), ...before.flatMap((digits) => national.map((rest) => `${digits}${rest}`))])];
}

/** The digits that a search for a phone looks for: without the code of the store's country, which a stored phone may lack. */
export function soughtDigits(text: string, country: string): string | undefined {
  const digits = digitsOf(text);
  if (digits.length < soughtDigitsMin) return undefined;
  const number = parsed(text, country);
  if (!number) return digits;
  const isDomestic = isCountry(country) && number.countryCallingCode === getCountryCallingCode(country);
  const sought = isDomestic ? number.nationalNumber : `${number.countryCallingCode}${number.nationalNumber}`;
  return sought.length >= soughtDigitsMin && digits.includes(sought) ? sought : digits;
}
