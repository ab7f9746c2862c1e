import { describe, expect, test } from '@jest/globals';
import { invalid, invalidFields, missing, notFound, Problem, sentences, statusOfKind } from './problem.ts';

describe('a Problem', () => {
  test.each(Object.entries(statusOfKind))('of kind %s has the HTTP status %i', (kind, status) => {
    expect(new Problem(kind as keyof typeof statusOfKind, 'text').status).toBe(status);
  });

  test("uses only the specification's statuses and those of D24, D199, D258 and D285", () => {
    expect(new Set(Object.values(statusOfKind))).toEqual(new Set([400, 401, 402, 403, 404, 408, 409, 412, 413, 422, 429, 500, 503]));
  });

  test('keeps what caused it', () => {
    const cause = new Error('inner');
    expect(new Problem('database', 'text', {}, { cause }).cause).toBe(cause);
  });
});

test('an unknown record is `<Resource> not found` (D26)', () => {
  expect(notFound('Product')).toMatchObject({ kind: 'not_found', message: 'Product not found' });
});

test('a body without its wrapper is named as in D48', () => {
  expect(missing('product')).toMatchObject({ status: 400, message: 'param is missing or the value is empty: product' });
});

test('a failed validation carries its messages beside the sentence', () => {
  expect(invalid(['quantity_change must not be zero', 'other'])).toMatchObject({
    status: 422,
    message: 'Validation failed: quantity_change must not be zero, other',
    extra: { errors: ['quantity_change must not be zero', 'other'] },
  });
});

test('field errors stay by field and read as sentences in the text', () => {
  const errors = { low_stock_threshold: ['is not a number'], name: ["can't be blank", 'is odd'] };
  expect(sentences(errors)).toEqual(['Low stock threshold is not a number', "Name can't be blank", 'Name is odd']);
  expect(sentences(errors, 'Line 2')[0]).toBe('Line 2 low stock threshold is not a number');
  expect(invalidFields(errors)).toMatchObject({
    message: "Validation failed: Low stock threshold is not a number, Name can't be blank, Name is odd",
    extra: { errors },
  });
});
