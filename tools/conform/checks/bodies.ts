/** Bodies that are refused before anything is looked at, of every endpoint that takes one. */
import { areaOf, type Check } from '../check.ts';
import type { Contract, Operation } from '../contract.ts';
import type { Kit } from '../kit.ts';
import { same } from '../outcome.ts';
import type { Request } from '../site.ts';

const { write } = areaOf('bodies');

const malformed = 'Malformed JSON is 400 "Malformed JSON".';
const noObject = 'A body that is no object is 400 "Request body must be a JSON object".';
const otherType = 'Another content type is 400 "Content-Type must be application/json".';
const badDryRun = 'dry_run is true or left out: another value is a 400.';
const noDryRun = 'dry_run on an endpoint that cannot be tried is 400 "dry_run is not available for this endpoint".';
const badKey = 'An Idempotency-Key that is not 1 to 255 printable ASCII characters without spaces is a 400.';
const idempotencyText = 'Idempotency-Key must be 1 to 255 printable ASCII characters without spaces';

export function bodyChecks({ operations }: Contract): Check[] {
  const writes = operations.filter(({ method }) => method !== 'GET');
  return [
    ...writes
      .filter(({ takesBody }) => takesBody)
      .flatMap((operation) => [
        refused(operation, '', malformed, 'Malformed JSON', { raw: '{"a":' }),
        refused(operation, '', noObject, 'Request body must be a JSON object', { raw: '[]' }),
        refused(operation, '', otherType, 'Content-Type must be application/json', {
          raw: '{}',
          headers: { 'Content-Type': 'text/plain' },
        }),
      ]),
    ...writes.map((operation) =>
      operation.takesDryRun
        ? refused(operation, '?dry_run=yes', badDryRun, 'dry_run must be true or left out', bodyOf(operation))
        : refused(operation, '?dry_run=true', noDryRun, 'dry_run is not available for this endpoint', bodyOf(operation)),
    ),
    ...writes
      .filter(({ takesIdempotencyKey, takesDryRun }) => takesIdempotencyKey && takesDryRun)
      .map((operation) =>
        refused(operation, '', badKey, idempotencyText, { ...bodyOf(operation), headers: { 'Idempotency-Key': 'has space' } }),
      ),
  ];
}

/** Names no record, so that a broken installation stores nothing either. */
const bodyOf = ({ method }: Operation): Request => (method === 'DELETE' ? {} : { body: {} });

function refused(operation: Operation, query: string, sentence: string, text: string, request: Request): Check {
  const path = operation.path.replace(/\{\w+\}/, '0') + query;
  return write(`${operation.method} ${path}`, sentence, [operation.scope], async (kit: Kit) => {
    const answer = await kit.send(operation.method, path, request);
    same('the answer', [answer.status, answer.body?.error], [400, text]);
  });
}
