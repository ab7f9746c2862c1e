/** `Prefer: handling=strict` (RFC 7240): what would be ignored in parameters and body is refused (D255, D283). */
import { type Endpoint, ignoredFields, unknownParameters } from '@store/contract';
import { type Extra, Problem, texts } from '@store/problem';
import type { Exchange } from './exchange.ts';
import { type Fault, ignoredValues } from './strict-values.ts';

/** Whether the client asks for it; of a repeated preference the first counts (RFC 7240, 2). */
export function asksForStrict(prefer: string | string[] | undefined): boolean {
  const handling = preferencesOf(prefer).find((one) => /^handling\s*=/.test(one));
  return handling !== undefined && /^handling\s*=\s*("strict"|strict)$/.test(handling);
}

/** Whether the client sends a preference that has no value. */
export function prefers(prefer: string | string[] | undefined, name: string): boolean {
  return prefer !== undefined && preferencesOf(prefer).includes(name);
}

function preferencesOf(prefer: string | string[] | undefined): string[] {
  const sent = [prefer ?? []].flat().join(',').split(',');
  return sent.map((one) => one.split(';')[0]!.trim().toLowerCase());
}

/** Confirms the preference in the answer, and refuses query parameters that the endpoint does not have, and values that it would ignore. */
export function checkParameters({ response, query, match }: Exchange, takesBody: boolean): void {
  response.appendHeader('Preference-Applied', 'handling=strict');
  const { endpoint, params } = match!;
  const sent = new URLSearchParams(query);
  const unknown = unknownParameters(endpoint, sent, params, takesBody);
  const ignored = takesBody ? [] : ignoredValues(endpoint, sent).filter(([name]) => !unknown.includes(name));
  refuse(endpoint, [...unknown.map((name): Fault => [name, texts.notAParameter]), ...ignored]);
}

/** Refuses body fields that the endpoint does not have, and blank ones in place of a default. Those of rows that are saved one by one fail their row. */
export function checkFields(exchange: Exchange, body: Record<string, unknown>, message: Record<string, unknown>): void {
  const { endpoint, params } = exchange.match!;
  const isStaff = exchange.key === undefined;
  const { unknown, blank } = ignoredFields(endpoint.request, body, message, { isStaff, params });
  refuse(endpoint, [...unknown.map((name): Fault => [name, texts.notAField]), ...blank.map((name): Fault => [name, "can't be blank"])]);
}

function refuse(endpoint: Endpoint, faults: Fault[]): void {
  if (faults.length === 0) return;
  const errors = faults.map(([name, text]) => `"${name}" ${text}`);
  throw new Problem('invalid', `Validation failed: ${errors.join(', ')}`, shapeOf(endpoint, faults, errors));
}

/** The endpoint's own format of a 422. */
function shapeOf({ httpMethod, invalidShape }: Endpoint, faults: Fault[], errors: string[]): Extra {
  if (invalidShape === 'errors' || httpMethod === 'DELETE') return { errors };
  if (invalidShape === 'fields') return { errors: Object.fromEntries(faults.map(([name, text]) => [name, [text]])) };
  if (invalidShape === 'list') return { body: { errors } };
  return {};
}
