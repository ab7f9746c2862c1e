/**
 * The one error of the project. It is thrown anywhere, crosses gRPC intact (libs/rpc) and is
 * rendered once, by the gateway. The list of kinds is closed; the HTTP status follows from the kind.
 */
export const statusOfKind = {
  missing_parameter: 400,
  unauthenticated: 401,
  payment_required: 402,
  forbidden: 403,
  not_found: 404,
  too_slow: 408,
  conflict: 409,
  record_changed: 412,
  too_large: 413,
  invalid: 422,
  rate_limited: 429,
  database: 500,
  unavailable: 500,
  backlog: 503,
} as const;

export type Kind = keyof typeof statusOfKind;

/** What a body of the specification holds beside `error`. */
export interface Extra {
  /** Messages, or messages by field (POST /products). */
  errors?: string[] | Record<string, string[]>;
  /** Machine-readable code of plan-related errors, such as feature_not_enabled. */
  code?: string;
  /** Free text of a 409 or of a database 500. */
  details?: string;
  /** The whole body, for the endpoints whose error body has no `error` key. */
  body?: Record<string, unknown>;
  /** Of a 412 to staff: who changed the record last, and when. */
  changed_by?: string;
  changed_at?: string;
  /** Of a 404 of a customer that was merged: the id of the customer that it is now. */
  merged_into?: number;
  /** Headers of the answer, such as Idempotency-Replayed; never part of the body. */
  headers?: Record<string, string>;
}

export class Problem extends Error {
  readonly kind: Kind;
  readonly extra: Extra;
  /** Another service refused: its state may be another one at the next request. */
  isOfService = false;

  constructor(kind: Kind, message: string, extra: Extra = {}, options?: ErrorOptions) {
    super(message, options);
    this.name = 'Problem';
    this.kind = kind;
    this.extra = extra;
  }

  get status(): number {
    return statusOfKind[this.kind];
  }
}

/**
 * Of a 500 whose request did nothing, or reached nobody, and of a 503: when a repetition is worth it. A service is back after a restart in about this
 * time, one that hangs is found to answer again within a second, and a burst is over.
 */
export const retryAfter = { 'Retry-After': '5' } as const;

/** Texts of error bodies that are used in several places, word for word from the specification. */
export const texts = {
  unexpected: 'An unexpected error occurred. Please contact support.',
  database: 'Database error occurred',
  invalidKey: 'Invalid or expired API key',
  noCredentials: 'Authentication required',
  rateLimited: 'Rate limit exceeded. Retry later.',
  backlog: 'Too many changes of this store wait to be published. Retry later.',
  noSubscription: 'Active POS subscription required',
  onboardingUnfinished: 'Store onboarding is not finished',
  /** Follows the feature's name. */
  notInPlan: 'is not included in your plan',
  testMode: 'This API key is in Test Mode, which is read-only. Use a key without Test Mode for write operations.',
  internal: 'This endpoint is not available via API key authentication',
  readOnly: 'Write operations are not available for this endpoint via API key',
  loyaltyPoints: 'Loyalty point manipulation is not available via API keys',
  role: 'Your role does not allow this action',
  secondFactor: 'Second factor required',
  passwordLately: 'Password confirmation required',
  recordChanged: 'Record was changed',
  malformedJson: 'Malformed JSON',
  tooLarge: 'Request body too large',
  tooSlow: 'The request did not arrive in time',
  /** Follow what was sent, in quotation marks (D255). */
  notAField: 'is not a field of this request',
  notAParameter: 'is not a parameter of this request',
} as const;

/** The specification's 500: the client gets the general message only. */
export function unexpected(cause: unknown): Problem {
  return new Problem('unavailable', texts.unexpected, {}, { cause });
}

/** Anything that is not a Problem is an internal error. */
export function problemFrom(error: unknown): Problem {
  return error instanceof Problem ? error : unexpected(error);
}

/** 403 for a feature that the store's plan lacks. */
export function notInPlan(feature: string): Problem {
  return new Problem('forbidden', `${feature} ${texts.notInPlan}`, { code: 'feature_not_enabled' });
}

/** 404 `<Resource> not found` (D26). */
export function notFound(resource: string): Problem {
  return new Problem('not_found', `${resource} not found`);
}

/** 400 for a body without its wrapper object (D48). */
export function missing(parameter: string): Problem {
  return new Problem('missing_parameter', `param is missing or the value is empty: ${parameter}`);
}

/** 422 of the generic shape: `{error: "Validation failed: …", errors: [string]}`. */
export function invalid(errors: string[]): Problem {
  return new Problem('invalid', `Validation failed: ${errors.join(', ')}`, { errors });
}

/** 422 with messages by field, the shape of POST /products. */
export function invalidFields(errors: Record<string, string[]>): Problem {
  return new Problem('invalid', `Validation failed: ${sentences(errors).join(', ')}`, { errors });
}

/** Field errors as sentences: `{price: ["must be …"]}` → `["Price must be …"]`, of `Line 2` `["Line 2 price must be …"]`. */
export function sentences(errors: Record<string, string[]>, item = ''): string[] {
  return Object.entries(errors).flatMap(([field, messages]) => {
    const subject = human(`${item} ${field}`.trim());
    return messages.map((message) => `${subject} ${message}`);
  });
}

function human(field: string): string {
  const words = field.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

interface TooOften {
  /** Attempts allowed. */
  limit: number;
  now: Date;
  /** When the next attempt is accepted. */
  until: Date;
}

/** The specification's 429 with the headers of Limits, which no other answer has. */
export function rateLimited({ limit, now, until }: TooOften): Problem {
  const headers = {
    'X-RateLimit-Limit': String(limit),
    'X-RateLimit-Remaining': '0',
    'X-RateLimit-Reset': String(Math.ceil(until.getTime() / 1_000)),
    'Retry-After': String(Math.max(1, Math.ceil((until.getTime() - now.getTime()) / 1_000))),
  };
  return new Problem('rate_limited', texts.rateLimited, { headers });
}
