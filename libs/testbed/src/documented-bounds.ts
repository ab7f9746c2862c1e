/** The documented bounds are those that input is validated by: both are written by hand. */
import { expect, test } from '@jest/globals';
import { messageType, optionsOf } from '@store/contract';

type Errors = Readonly<Record<string, string[]>>;

const tooLong = (max: number) => `is too long (maximum is ${max} characters)`;

/** Registers the tests of each field of that message that has a bound; `validate` returns the errors of one that was sent with these texts. */
export function testDocumentedBounds(message: string, validate: (sent: Record<string, string>) => Errors): void {
  const errorsOf = (name: string, text: string | number) => validate({ [name]: String(text) })[name] ?? [];
  const options = messageType(message).fieldsArray.map((field) => ({ name: field.name, ...optionsOf(field) }));
  const having = (bound: string) =>
    options.filter((field) => bound in field).map((field) => [field.name, (field as never)[bound] as number] as const);

  test.each(having('max_length'))('%s takes %i characters and no more', (name, max) => {
    expect(errorsOf(name, 'x'.repeat(max))).not.toContainEqual(expect.stringContaining('too long'));
    expect(errorsOf(name, 'x'.repeat(max + 1))).toEqual([tooLong(max)]);
  });

  const bounded = [...having('minimum').map((of) => [...of, -1] as const), ...having('maximum').map((of) => [...of, 1] as const)];
  if (bounded.length === 0) return;
  test.each(bounded)('%s takes %i and not what lies %i beyond it', (name, bound, step) => {
    expect(errorsOf(name, bound)).toEqual([]);
    expect(errorsOf(name, bound + step)).toHaveLength(1);
  });
}
