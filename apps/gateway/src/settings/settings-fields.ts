/** How each setting is validated; blocks are named as in the public JSON. */
import { itemsMax } from '@store/contract';
import {
  booleanField,
  choice,
  integerField,
  isCountry,
  moneyField,
  requiredText,
  scaled,
  shortened,
  textField,
  unscaled,
} from '@store/input';
import { IANAZone } from 'luxon';
import { emailField } from '../staff/email-field.ts';
import { brands, locales, taxModes } from '../stores/store.ts';

const symbolMax = 8;
const shortMax = 50;
const addressMax = 500;
const noteMax = 1_000;
const urlMax = 2_048;
const idleMinutesMax = 24 * 60;

/** An IANA name that both PostgreSQL and this process know. */
export function isTimeZone(text: string): boolean {
  return /^[A-Za-z][A-Za-z0-9_+/-]*$/.test(text) && IANAZone.isValidZone(text);
}

const timeZoneField = () =>
  requiredText(shortMax).refine(isTimeZone, { message: 'is not a known time zone', when: ({ issues }) => issues.length === 0 });

/** A code of a list, in capitals. */
const codeField = (isKnown: (code: string) => boolean, what: string) =>
  textField(shortMax)
    .transform((text) => text?.toUpperCase() ?? null)
    .refine((code) => code === null || isKnown(code), { message: `is not a known ${what}` });

const currencies = new Set(Intl.supportedValuesOf('currency'));

const phoneField = () =>
  textField(shortMax).refine((text) => text === null || isPhone(text), {
    message: 'is invalid',
    when: ({ issues }) => issues.length === 0,
  });

function isPhone(text: string): boolean {
  const digits = text.replace(/\D/g, '').length;
  return digits >= 7 && digits <= 15 && /^[\d\s()+.x-]*$/i.test(text);
}

const urlField = () =>
  textField(urlMax).refine((text) => text === null || isWebAddress(text), {
    message: 'is invalid',
    when: ({ issues }) => issues.length === 0,
  });

function isWebAddress(text: string): boolean {
  return URL.canParse(text) && ['https:', 'http:'].includes(new URL(text).protocol);
}

const percentScale = 2;
/** 9.975 is a real rate (D217). */
const rateScale = 4;

/** A percentage from 0 to 100, null when blank: with two decimals, and with those beyond them that are not 0 ("13.00", "9.975"). */
const percentField = (scale = percentScale) =>
  textField(shortMax).transform((text, context) => {
    if (text === null) return null;
    const value = scaled(text, scale);
    if (value === undefined) context.addIssue({ code: 'custom', message: 'is not a number' });
    else if (value < 0n || value > 100n * 10n ** BigInt(scale)) context.addIssue({ code: 'custom', message: 'must be between 0 and 100' });
    else return shortened(unscaled(value, scale));
    return null;
  });

export const topFields = {
  locale: choice(locales),
  province: textField(shortMax),
  timezone: timeZoneField(),
  printer_bridge_address: textField(),
  payment_terminal_location: textField(),
  payment_gateway_enabled: booleanField(),
  ecommerce_enabled: booleanField(),
  opening_float: moneyField(),
  idle_timeout_minutes: integerField(1, idleMinutesMax),
  require_second_factor: booleanField(),
  country: codeField(isCountry, 'country'),
  currency_code: codeField((code) => currencies.has(code), 'currency'),
};

export const blockFields = {
  store: { name: requiredText(), address: textField(addressMax), phone: phoneField(), email: emailField() },
  tax: {
    mode: choice(taxModes),
    rate: percentField(rateScale),
    name: textField(shortMax),
    gst_rate: percentField(rateScale),
    gst_name: textField(shortMax),
    pst_rate: percentField(rateScale),
    pst_name: textField(shortMax),
  },
  currency: { symbol: requiredText(symbolMax) },
  branding: {
    name: requiredText(),
    brand: choice(brands),
    url: urlField(),
    support_email: emailField(),
    support_phone: phoneField(),
  },
  receipt_printer: { enabled: booleanField(), header: textField(noteMax), footer: textField(noteMax) },
  scale: { enabled: booleanField(), unit: textField(shortMax) },
  tier_pricing: { enabled: booleanField() },
  dual_store: { enabled: booleanField() },
};

export const presetFields = { label: requiredText(shortMax), percentage: percentField() };
export const presetsMax = itemsMax('store.gateway.v1.SettingsInput').discount_presets!;
