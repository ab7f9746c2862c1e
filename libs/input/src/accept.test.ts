import { expect, test } from '@jest/globals';
import { acceptor, refuseErrors } from './accept.ts';
import { requiredText, textField } from './values.ts';

const accept = acceptor({ wrapper: 'brand', fields: { name: requiredText(), description: textField() }, required: ['name'] });

test.each([undefined, null, {}, { malformed: [], product_ids: [] }])(
  'a body without anything known in its wrapper is a 400: %j',
  (input) => {
    expect(() => accept.create(input)).toThrow('param is missing or the value is empty: brand');
    expect(() => accept.update(input)).toThrow('param is missing or the value is empty: brand');
  },
);

test('a new record needs its required fields; a change does not', () => {
  expect(accept.create({ description: 'Tea' }).errors).toEqual({ name: ["can't be blank"] });
  expect(accept.update({ description: 'Tea' })).toEqual({ values: { description: 'Tea' }, errors: {} });
});

test('a field of the wrong JSON kind is named, and the wrapper counts as sent', () => {
  expect(accept.update({ malformed: ['name'] }).errors).toEqual({ name: ['is invalid'] });
});

test('errors are refused as sentences', () => {
  expect(() => refuseErrors({ name: ["can't be blank"] })).toThrow("Validation failed: Name can't be blank");
  expect(() => refuseErrors({})).not.toThrow();
});
