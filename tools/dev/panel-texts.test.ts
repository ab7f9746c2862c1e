import { expect, test } from '@jest/globals';
import { dictionaryFaults, textsOf } from './panel-texts.ts';

test('finds what t() and counted() say, and what people would read in English alone', () => {
  const code = [
    "const head = [{ header: t('Name'), cell: x }, { header: 'Price' }];",
    "const rows = counted(n, '{count} row', '{count} rows', { n });",
    "const part = <Text title={t('Open|verb')} label=\"Total\" classNames={{ label: 'code' }}>{t('Paid')}: done <b>–</b></Text>;",
  ].join('\n');
  expect(textsOf(code, 'a.tsx')).toEqual({
    texts: expect.arrayContaining(['Name', '{count} row', '{count} rows', 'Open|verb', 'Paid']),
    bare: expect.arrayContaining(['a.tsx:1: “Price” is not in t()', 'a.tsx:3: “Total” is not in t()', 'a.tsx:3: “: done” is not in t()']),
  });
  expect(textsOf(code, 'a.tsx').bare).toHaveLength(3);
});

test('a dictionary has every text and no other, with the values of each', () => {
  const texts = new Set(['Name', 'by {name}', '{count} row']);
  expect(dictionaryFaults(texts, { Name: 'Nom', 'by {name}': 'par {name}', '{count} row': 'une ligne' }, 'fr.json')).toEqual([]);
  expect(dictionaryFaults(texts, { 'by {name}': 'par {nom}', '{count} row': '', Price: 'Prix' }, 'fr.json')).toEqual([
    'fr.json lacks “Name”',
    'fr.json lacks “{count} row”',
    'fr.json: “Price” is not used',
    'fr.json: “par {nom}” has other values than “by {name}”',
  ]);
});
