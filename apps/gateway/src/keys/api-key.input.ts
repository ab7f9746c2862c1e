import { isScope, itemsMax } from '@store/contract';
import { booleanField, type FieldErrors, integerField, parseFields, refuseErrors, requiredText, sent, timestampField } from '@store/input';
import type { ApiKeyInput__Output } from '@store/protos/gateway/v1.ts';

export interface NewApiKey {
  name: string;
  scopes: string[];
  rateLimit: number;
  expiresAt: Date | null;
  testMode: boolean;
}

const rateLimitDefault = 60;
const rateLimitMax = 1_000;
/** Repetitions included. */
const scopesMax = itemsMax('store.gateway.v1.ApiKeyInput').scopes!;

export function acceptApiKey(sentKey: ApiKeyInput__Output | null | undefined, timeZone: string, now: Date): NewApiKey {
  const input = sent('api_key', sentKey);
  const fields = {
    name: requiredText(),
    rate_limit: integerField(1, rateLimitMax),
    expires_at: timestampField(timeZone),
    test_mode: booleanField(),
  };
  // An empty test_mode (null in the body) counts as not sent.
  const given = { ...input, ...(input.test_mode === '' && { test_mode: undefined }) };
  const { values, errors } = parseFields(fields, given);
  if (values.name === undefined && !errors.name) errors.name = ["can't be blank"];
  if (values.expires_at && values.expires_at <= now) errors.expires_at = ['must be in the future'];
  const scopes = acceptedScopes(input, errors);
  refuseErrors(errors);
  return {
    name: values.name!,
    scopes,
    rateLimit: values.rate_limit ?? rateLimitDefault,
    expiresAt: values.expires_at ?? null,
    testMode: values.test_mode ?? false,
  };
}

function acceptedScopes(input: ApiKeyInput__Output, errors: FieldErrors): string[] {
  if ((input.scopes?.length ?? 0) > scopesMax) {
    errors.scopes = [`is too long (maximum is ${scopesMax})`];
    return [];
  }
  const scopes = [...new Set(input.scopes ?? [])];
  const malformed = (input.malformed ?? []).some((path) => path.split('.')[0] === 'scopes');
  const unknown = scopes.filter((scope) => !isScope(scope));
  if (malformed) errors.scopes = ['is invalid'];
  else if (scopes.length === 0) errors.scopes = ["can't be blank"];
  else if (unknown.length > 0)
    errors.scopes = unknown.map((scope) => `contains an unknown scope: ${scope.replaceAll('\0', '').slice(0, 50)}`);
  return scopes;
}
