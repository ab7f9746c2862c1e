import type { Schema } from './field-schema.ts';
import { object } from './schemas.ts';

const messages: Schema = { type: 'array', items: { type: 'string' } };
const text = (description: string): Schema => ({ type: 'string', description });
const list = (description: string): Schema => ({ ...messages, description });
const count = (description: string): Schema => ({ type: 'integer', format: 'int64', minimum: 0, description });
const errorRef: Schema = { $ref: '#/components/schemas/Error' };

/** The component of a 422 body, by the endpoint's invalid_shape. */
export const bodyShapes: Record<string, string> = {
  errors: 'ValidationFailed',
  fields: 'FieldsInvalid',
  message: 'Error',
  bulk: 'BulkUpdateInvalid',
  ping: 'TestInvalid',
  list: 'ListInvalid',
};

/** `required`: all of its fields, unless it says otherwise. */
const one = (title: string, description: string, properties: Record<string, Schema>, required = Object.keys(properties)) => ({
  [title]: object({ title, description, properties, required }),
});
const orError = (title: string, description: string, other: string) => ({
  [title]: { title, description, anyOf: [{ $ref: `#/components/schemas/${other}` }, errorRef] },
});
const always = { const: false, description: 'Always false.' };

export const errorSchemas: Record<string, Schema> = {
  ...one(
    'Error',
    'An error. Error bodies are never wrapped in the envelope.',
    {
      error: text('What went wrong, as a sentence.'),
      code: {
        ...text('Machine-readable reason of plan-related errors.'),
        examples: ['feature_not_enabled', 'pos_plan_required', 'onboarding_incomplete'],
      },
      details: text('What a conflict is about, or the request id of a database error.'),
    },
    ['error'],
  ),
  ...one(
    'ValidationFailed',
    'The input is invalid.',
    {
      error: text('What went wrong. Starts with "Validation failed" when errors are listed.'),
      errors: list('What is wrong, one sentence each.'),
    },
    ['error'],
  ),
  ...one(
    'FieldsInvalid',
    'Fields of the input are invalid.',
    {
      error: text('What went wrong, with all messages in one sentence.'),
      errors: {
        description: 'Messages by field; a list of messages when it is the Idempotency-Key that is refused.',
        anyOf: [{ type: 'object', additionalProperties: messages }, messages],
      },
    },
    ['error'],
  ),
  ...one(
    'RecordChanged',
    'The record was changed meanwhile.',
    {
      error: text('What went wrong.'),
      changed_by: text('Who changed it last: a member of staff or an API key. For staff, where the audit trail has it.'),
      changed_at: { type: 'string', format: 'date-time', description: 'When that was.' },
    },
    ['error'],
  ),
  ...one('ErrorList', 'The input is invalid.', { errors: list('What is wrong, one sentence each.') }),
  ...orError('ListInvalid', 'What is wrong with the input, or the Idempotency-Key is refused.', 'ErrorList'),
  ...one('BulkUpdateFailed', 'Some products failed. Products that were saved remain saved.', {
    success: { type: 'boolean', ...always },
    updated_count: count('Products that were changed.'),
    total_count: count('Products that matched the ids.'),
    errors: { type: 'array', items: { $ref: '#/components/schemas/FailedProduct' }, description: 'The products that failed and why.' },
  }),
  ...one('FailedProduct', 'A product that was not changed, and why.', {
    id: { type: 'integer', format: 'int64', description: 'Id of the product.' },
    name: text('Name of the product.'),
    errors: list('What is wrong, one sentence each.'),
  }),
  ...orError('BulkUpdateInvalid', 'Products that failed, or an error about the request as a whole.', 'BulkUpdateFailed'),
  ...one('TestFailed', 'The test event could not be delivered.', {
    success: { type: 'boolean', ...always },
    status_code: { type: 'integer', format: 'int32', const: 0, description: 'Always 0: there was no response.' },
    message: text('Why it could not be delivered.'),
  }),
  ...orError('TestInvalid', 'The test event could not be delivered, or the Idempotency-Key is refused.', 'TestFailed'),
};
