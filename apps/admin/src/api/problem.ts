/** A refusal of the API, or an answer that never came. */
import { fromApi, t } from '../language/t.ts';
export class ApiProblem extends Error {
  readonly status: number;
  /** Messages by field, where the API names fields. */
  readonly fields: Record<string, string[]>;
  /** One message per fault, where the API lists them. */
  readonly messages: string[];
  readonly requestId: string | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** Of a record that has another version: who changed it last, and when. */
  readonly changedBy: string | undefined;
  readonly changedAt: string | undefined;

  constructor(status: number, message: string, { fields = {}, messages = [], ...rest }: ProblemParts = {}) {
    super(message);
    this.status = status;
    this.fields = fields;
    this.messages = messages;
    Object.assign(this, rest);
  }

  /** What is wrong with one field: the API names it, or begins the sentence with it. */
  of(field: string): string | undefined {
    if (this.fields[field]) return this.fields[field].map(fromApi).join(', ');
    const begin = `${field.charAt(0).toUpperCase()}${field.slice(1).replaceAll('_', ' ')} `;
    const found = this.messages.find((message) => message.startsWith(begin));
    return found && fromApi(found.slice(begin.length));
  }
}

const signedOut = 401;
const forbidden = 403;
const notFound = 404;
/** What was sent came too slowly. */
const tooSlow = 408;
const inProgress = 409;
const preconditionFailed = 412;
const tooMany = 429;

export const lostText = t('The answer was lost. It may have been recorded.');

/** Something was sent, and its answer never came: it may have been recorded. */
export class LostAnswer extends ApiProblem {
  constructor({ status, message, requestId }: ApiProblem) {
    super(status, message, { requestId });
  }
}

const has = (error: unknown, status: number): error is ApiProblem => error instanceof ApiProblem && error.status === status;

/** Refused, as somebody else has changed the record meanwhile. */
export const isChangedMeanwhile = (error: unknown): error is ApiProblem => has(error, preconditionFailed);

/** What it names is there no longer: deleted, archived or ended, here or elsewhere. */
export const isGone = (error: unknown): boolean => has(error, notFound);

/** Refused as the page shows what is stored no longer. */
export const isStale = (error: unknown): boolean => isChangedMeanwhile(error) || isGone(error);

/** What is wrong with one field of what was sent. */
export function faultOf(error: Error | null, field: string): string | undefined {
  return error instanceof ApiProblem ? error.of(field) : undefined;
}

type ProblemParts = Partial<Pick<ApiProblem, 'fields' | 'messages' | 'requestId' | 'retryAfterSeconds' | 'changedBy' | 'changedAt'>>;

interface Body {
  error?: string;
  errors?: unknown;
  details?: string;
  changed_by?: string;
  changed_at?: string;
}

/** Reads the shapes of the API's error bodies: `error` with fields or a list, or a list alone. */
export function problemFrom(status: number, body: unknown, headers: Headers): ApiProblem {
  const { error, errors, details, changed_by, changed_at } = (body ?? {}) as Body;
  const messages = Array.isArray(errors) && errors.every((one) => typeof one === 'string') ? errors : [];
  const fields = errors !== null && typeof errors === 'object' && !Array.isArray(errors) ? (errors as Record<string, string[]>) : {};
  const retryAfter = Number(headers.get('retry-after') ?? Number.NaN);
  return new ApiProblem(
    status,
    (messages.map(fromApi).join(', ') || undefined) ??
      (error && fromApi(error.replace(/^Validation failed: /, ''))) ??
      details ??
      t('The server answered {status}', { status }),
    {
      fields,
      messages,
      changedBy: changed_by,
      changedAt: changed_at,
      requestId: headers.get('x-request-id') ?? undefined,
      retryAfterSeconds: Number.isFinite(retryAfter) ? retryAfter : undefined,
    },
  );
}

/** Whether the store may answer the same request otherwise later: it was not reached in time, failed, is busy, or wants a new sign-in. */
export function isUnanswered(error: unknown): boolean {
  if (!(error instanceof ApiProblem)) return false;
  return mayHaveActed(error) || [signedOut, tooSlow, inProgress, tooMany].includes(error.status);
}

/** No answer came, or a failure: the store may have acted. */
export const mayHaveActed = (error: unknown): boolean => error instanceof ApiProblem && (error.status === 0 || error.status >= 500);

/** The store was reached, and a part of it does not work. */
export const isFailure = (error: unknown): boolean => error instanceof ApiProblem && error.status >= 500;

/** Refused for who asks: it says nothing of what was sent before. */
export const isForbidden = (error: unknown): boolean => has(error, forbidden);

/** The session lapsed: signing in over the page is asked for, and the person begins again. */
export const isSignedOut = (error: unknown): boolean => has(error, signedOut);
