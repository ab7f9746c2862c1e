import { type Endpoint, optionsOf } from '@store/contract';
import { invalid, invalidFields, missing, notFound, notInPlan, type Problem, sentences, texts } from '@store/problem';
import protobuf from 'protobufjs';
import { sampleRequestId } from './samples.ts';
import { type Audience, isRequired } from './schemas.ts';

export type Examples = Record<string, unknown>;

function bodyOf({ message, extra: { errors, code, details } }: Problem): unknown {
  return { error: message, ...(errors && { errors }), ...(code && { code }), ...(details && { details }) };
}

export const sharedExamples = {
  unauthorized: { invalid_key: { error: texts.invalidKey }, no_credentials: { error: texts.noCredentials } },
  paymentRequired: {
    no_subscription: { error: texts.noSubscription, code: 'pos_plan_required' },
    onboarding_unfinished: { error: texts.onboardingUnfinished, code: 'onboarding_incomplete' },
  },
  notFound: { unknown_product: bodyOf(notFound('Product')) },
  unknownParameter: { unknown_parameter: bodyOf(invalid([`"serach" ${texts.notAParameter}`])) },
  recordChanged: { record_changed: { error: texts.recordChanged } },
  rateLimited: { limit_exceeded: { error: texts.rateLimited } },
  backlog: { backlog: { error: texts.backlog } },
  serverError: { unexpected: { error: texts.unexpected }, database: { error: texts.database, details: sampleRequestId } },
};

export const tooLargeExamples: Examples = { body_too_large: { error: texts.tooLarge } };

export function missingExamples({ inBody, required }: { inBody: protobuf.Field[]; required: protobuf.Field | undefined }): Examples {
  return {
    ...(required && !required.repeated ? { [`${required.name}_missing`]: bodyOf(missing(required.name)) } : {}),
    ...(inBody.length > 0 ? { malformed_json: { error: texts.malformedJson } } : {}),
  };
}

const capitalized = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);

export function forbiddenExamples({ access, httpMethod }: Endpoint, audience: Audience): Examples {
  const [feature] = access.features;
  const planned = feature === undefined ? {} : { feature_not_in_plan: bodyOf(notInPlan(capitalized(feature))) };
  const lately = access.passwordLately ? { password_not_given_lately: { error: texts.passwordLately } } : {};
  if (audience === 'staff') return { role_too_low: { error: texts.role }, ...planned, ...lately };
  return {
    ...(access.scope === '' ? {} : { scope_missing: { error: `Insufficient scope. Required: ${access.scope}` } }),
    ...(httpMethod === 'GET' ? {} : { test_mode: { error: texts.testMode } }),
    developer_api_off: bodyOf(notInPlan('Developer API')),
    ...planned,
  };
}

const keyInUse = { error: 'A request with this Idempotency-Key is still in progress', details: 'Idempotency-Key is in use' };

export function conflictExamples(endpoint: Endpoint): Examples {
  return { ...ownExamples(endpoint, 409), idempotency_key_in_use: keyInUse };
}

const keyReusedText = 'Idempotency-Key was already used with another request';
const keyReused = { error: keyReusedText, errors: [keyReusedText] };

export function invalidExamples(endpoint: Endpoint, inBody: protobuf.Field[]): Examples {
  const own = ownExamples(endpoint, 422);
  return {
    ...(Object.keys(own).length > 0 ? own : likelyMistake(endpoint, inBody)),
    ...(endpoint.httpMethod === 'POST' || (endpoint.httpMethod === 'PATCH' && !endpoint.access.public)
      ? { idempotency_key_reused: keyReused }
      : {}),
  };
}

/** The proto's own examples of a status, by name. */
export function ownExamples({ answerExamples }: Endpoint, status: number): Examples {
  return Object.fromEntries(answerExamples.filter((one) => one.status === status).map(({ name, body }) => [name, JSON.parse(body)]));
}

/** The most common mistake: a required text is blank. */
function likelyMistake({ invalidShape }: Endpoint, inBody: protobuf.Field[]): Examples {
  const wrapper = inBody.find((field) => field.resolvedType instanceof protobuf.Type && !field.repeated);
  const fields = wrapper ? (wrapper.resolvedType as protobuf.Type).fieldsArray : inBody;
  const text = fields.find((field) => isRequired(field) && !field.repeated && optionsOf(field).json_type === undefined);
  if (!text || text.resolvedType) return {};
  const blank = { [text.name]: ["can't be blank"] };
  const problem = invalidShape === 'fields' ? invalidFields(blank) : invalid(sentences(blank));
  return { [`${text.name}_blank`]: bodyOf(problem) };
}
