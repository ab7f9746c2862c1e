/** A refusal of the API, or an answer that never came. */
export class ApiProblem extends Error {
  readonly status: number;
  /** Messages by field, where the API names fields. */
  readonly fields: Record<string, string[]>;
  /** One message per fault, where the API lists them. */
  readonly messages: string[];
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;

  constructor(status: number, message: string, { fields = {}, messages = [], requestId, retryAfterSeconds }: ProblemParts = {}) {
    super(message);
    this.status = status;
    this.fields = fields;
    this.messages = messages;
    this.requestId = requestId;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

interface ProblemParts {
  fields?: Record<string, string[]>;
  messages?: string[];
  requestId?: string;
  retryAfterSeconds?: number;
}

/** Reads the shapes of the API's error bodies: `error` with fields or a list, or a list alone. */
export function problemFrom(status: number, body: unknown, headers: Headers): ApiProblem {
  const { error, errors, details } = (body ?? {}) as { error?: string; errors?: unknown; details?: string };
  const messages = Array.isArray(errors) && errors.every((one) => typeof one === 'string') ? errors : [];
  const fields = errors !== null && typeof errors === 'object' && !Array.isArray(errors) ? (errors as Record<string, string[]>) : {};
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  return new ApiProblem(
    status,
    error?.replace(/^Validation failed: /, '') ?? (messages.join(', ') || undefined) ?? details ?? `The server answered ${status}`,
    {
      fields,
      messages,
      requestId: headers.get('x-request-id') ?? undefined,
      retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
    },
  );
}
