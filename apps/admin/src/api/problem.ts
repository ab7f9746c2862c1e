/** A refusal of the API, or an answer that never came. */
export class ApiProblem extends Error {
  readonly status: number;
  /** Messages by field, where the API names fields. */
  readonly fields: Record<string, string[]>;
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, message: string, { fields = {}, requestId, retryAfterSeconds }: ProblemParts = {}) {
    super(message);
    this.status = status;
    this.fields = fields;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface ProblemParts {
  fields?: Record<string, string[]>;
  requestId?: string;
  retryAfterSeconds?: number;
}

/** Reads the shapes of the API's error bodies: `error` with fields or a list, or a list alone. */
export function problemFrom(status: number, body: unknown, headers: Headers): ApiProblem {
  const { error, errors, details } = (body ?? {}) as { error?: string; errors?: unknown; details?: string };
  const listed = Array.isArray(errors) && errors.every((one) => typeof one === 'string') ? errors.join(', ') : undefined;
  const fields = errors !== null && typeof errors === 'object' && !Array.isArray(errors) ? (errors as Record<string, string[]>) : {};
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  return new ApiProblem(status, error ?? listed ?? details ?? `The server answered ${status}`, {
    fields,
    requestId: headers.get('x-request-id') ?? undefined,
    retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
  });
}
