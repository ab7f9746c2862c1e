import { expect, test } from '@jest/globals';
import { apiForms } from './api-forms.ts';
import texts from './api-texts.json' with { type: 'json' };
import words from './fr.json' with { type: 'json' };
import { fromApi, speak } from './t.ts';

test('messages of the API are said in the language, with what they name', () => {
  expect(texts.filter((text) => text.includes('{'))).toEqual(apiForms);
  const messages = [
    'Store credit is not enough',
    'Gift card ending in D-1 has only 1.50 available',
    'Amount is too large',
    'Gift card has bugs',
  ];
  expect(messages.map(fromApi)).toEqual(messages);
  speak('fr', words);
  try {
    expect(messages.map(fromApi)).toEqual([
      'Avoir insuffisant',
      'La carte-cadeau qui se termine par D-1 n’a que 1,50 disponibles',
      'Montant est trop grand',
      'Gift card has bugs',
    ]);
  } finally {
    speak('en', {});
  }
});
