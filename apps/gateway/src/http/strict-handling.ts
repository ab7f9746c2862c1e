/** `Prefer: handling=strict` (RFC 7240): unknown parameters and body fields are refused instead of ignored (D255). */
import { type Endpoint, unknownFields, unknownParameters } from '@store/contract';
import { type Extra, Problem, texts } from '@store/problem';
import type { Exchange } from './exchange.ts';

/** Whether the client asks for it; of a repeated preference the first counts (RFC 7240, 2). */
export function asksForStrict(prefer: string | string[] | undefined): boolean {
  const sent = [prefer ?? []].flat().join(',').split(',');
  const handling = sent.map((one) => one.split(';')[0]!.trim().toLowerCase()).find((one) => /^handling\s*=/.test(one));
  return handling !== undefined && /^handling\s*=\s*("strict"|strict)$/.test(handling);
}

/** Confirms the preference in the answer, and refuses query parameters that the endpoint does not have. */
export function checkParameters({ response, query, match }: Exchange, takesBody: boolean): void {
  response.setHeader('Preference-Applied', 'handling=strict');
  const { endpoint, params } = match!;
  refuseUnknown(endpoint, unknownParameters(endpoint, new URLSearchParams(query), params, takesBody), texts.notAParameter);
}

/** Refuses body fields that the endpoint does not have. Unknown fields of rows that are saved one by one fail their row. */
export function checkFields(exchange: Exchange, body: Record<string, unknown>, message: Record<string, unknown>): void {
  const { endpoint, params } = exchange.match!;
  const isStaff = exchange.key === undefined;
  refuseUnknown(endpoint, unknownFields(endpoint.request, body, message, { isStaff, params }), texts.notAField);
}

function refuseUnknown(endpoint: Endpoint, names: string[], text: string): void {
  if (names.length === 0) return;
  const errors = names.map((name) => `"${name}" ${text}`);
  throw new Problem('invalid', `Validation failed: ${errors.join(', ')}`, shapeOf(endpoint, names, errors, text));
}

/** The endpoint's own format of a 422. */
function shapeOf({ httpMethod, invalidShape }: Endpoint, names: string[], errors: string[], text: string): Extra {
  if (invalidShape === 'errors' || httpMethod === 'DELETE') return { errors };
  if (invalidShape === 'fields') return { errors: Object.fromEntries(names.map((name) => [name, [text]])) };
  if (invalidShape === 'list') return { body: { errors } };
  return {};
}
