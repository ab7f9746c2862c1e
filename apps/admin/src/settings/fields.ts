/** The settings that the panel offers, in the order of its page; each by its path in the API's settings. */

import type { Schemas } from '../api/gen/api.js';
import { languages, t } from '../language/t.ts';
import type { Field, Values } from '../parts/field-input.tsx';

const taxIs = (mode: string) => (values: Values) => values['tax.mode'] === mode;
const printed = (values: Values) => values['receipt_printer.enabled'] === true;

export const settingGroups: { title: string; fields: Field[] }[] = [
  {
    title: t('Store'),
    fields: [
      { path: 'store.name', label: t('Name'), kind: 'text' },
      { path: 'store.email', label: t('E-mail'), kind: 'text' },
      { path: 'store.phone', label: t('Phone'), kind: 'text' },
      { path: 'store.address', label: t('Address'), kind: 'text' },
      { path: 'province', label: t('Province or state'), kind: 'text' },
      { path: 'timezone', label: t('Time zone'), kind: 'choice' },
      { path: 'country', label: t('Country, by its code of two letters'), kind: 'text' },
      { path: 'currency.symbol', label: t('Currency symbol'), kind: 'text' },
      { path: 'currency_code', label: t('Currency, by its code of three letters'), kind: 'text' },
      {
        path: 'locale',
        label: t('Language'),
        kind: 'choice',
        choices: Object.entries(languages).map(([value, label]) => ({ value, label })),
      },
    ],
  },
  {
    title: t('Tax'),
    fields: [
      {
        path: 'tax.mode',
        label: t('Sales are taxed by'),
        kind: 'choice',
        choices: [
          { value: 'none', label: t('No tax') },
          { value: 'single', label: t('One rate') },
          { value: 'split', label: t('GST and PST') },
        ],
      },
      { path: 'tax.name', label: t('Name of the tax'), kind: 'text', when: taxIs('single') },
      { path: 'tax.rate', label: t('Rate in percent'), kind: 'decimal', when: taxIs('single') },
      { path: 'tax.gst_name', label: t('Name of the GST'), kind: 'text', when: taxIs('split') },
      { path: 'tax.gst_rate', label: t('Rate of the GST in percent'), kind: 'decimal', when: taxIs('split') },
      { path: 'tax.pst_name', label: t('Name of the PST'), kind: 'text', when: taxIs('split') },
      { path: 'tax.pst_rate', label: t('Rate of the PST in percent'), kind: 'decimal', when: taxIs('split') },
    ],
  },
  {
    title: t('Signing in'),
    fields: [{ path: 'require_second_factor', label: t('Managers and admins need a one-time code'), kind: 'switch' }],
  },
  {
    title: t('Register'),
    fields: [
      { path: 'opening_float', label: t('Cash a drawer opens with'), kind: 'money' },
      { path: 'receipt_printer.enabled', label: t('Print receipts'), kind: 'switch' },
      { path: 'receipt_printer.header', label: t('Text above each receipt'), kind: 'long', when: printed },
      { path: 'receipt_printer.footer', label: t('Text below each receipt'), kind: 'long', when: printed },
    ],
  },
];

export const allFields = settingGroups.flatMap(({ fields }) => fields);

/** The API's settings as the form holds them; what is not set is an empty text. */
export function valuesOf(settings: Schemas['Settings']): Values {
  return Object.fromEntries(allFields.map(({ path }) => [path, at(settings, path) ?? '']));
}

/** The body of PATCH /settings: values by path, nested as the API nests them. */
export function nested(values: Partial<Values>): Schemas['SettingsInput'] {
  const body: Record<string, unknown> = {};
  for (const [path, value] of Object.entries(values)) {
    const [group, name] = path.split('.');
    body[group!] = name === undefined ? value : { ...(body[group!] as object), [name]: value };
  }
  return body;
}

function at(settings: object, path: string): string | number | boolean | null | undefined {
  return path.split('.').reduce<unknown>((value, name) => (value as Record<string, unknown> | undefined)?.[name], settings) as string;
}
