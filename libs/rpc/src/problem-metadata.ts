/** A Problem in trailing metadata, with its kind as the status code; one too long for HTTP/2 headers travels as the message. */
import { Metadata, type ServiceError, type StatusObject, status } from '@grpc/grpc-js';
import { type Extra, type Kind, Problem, retryAfter, texts, unexpected } from '@store/problem';

const codeOfKind: Record<Kind, status> = {
  missing_parameter: status.INVALID_ARGUMENT,
  unauthenticated: status.UNAUTHENTICATED,
  payment_required: status.FAILED_PRECONDITION,
  forbidden: status.PERMISSION_DENIED,
  not_found: status.NOT_FOUND,
  conflict: status.ALREADY_EXISTS,
  record_changed: status.ABORTED,
  too_slow: status.DEADLINE_EXCEEDED,
  too_large: status.RESOURCE_EXHAUSTED,
  invalid: status.INVALID_ARGUMENT,
  rate_limited: status.RESOURCE_EXHAUSTED,
  database: status.INTERNAL,
  unavailable: status.UNAVAILABLE,
  backlog: status.RESOURCE_EXHAUSTED,
};

const header = 'problem-bin';

interface Carried {
  kind: Kind;
  message: string;
  extra: Extra;
}

export function encodeProblem(problem: Problem): Buffer {
  const carried: Carried = { kind: problem.kind, message: problem.message, extra: problem.extra };
  return Buffer.from(JSON.stringify(carried));
}

export function decodeProblem(bytes: Uint8Array): Problem {
  const carried = JSON.parse(Buffer.from(bytes).toString()) as Carried;
  return new Problem(carried.kind, carried.message, carried.extra);
}

/** The refusal of the service that was called. */
export function refusalOf(bytes: Uint8Array): Problem {
  const problem = decodeProblem(bytes);
  problem.isOfService = true;
  return problem;
}

export function statusOf(problem: Problem): StatusObject {
  const metadata = new Metadata();
  metadata.set(header, encodeProblem(problem));
  return { code: codeOfKind[problem.kind], details: problem.kind, metadata };
}

const announcement = 'problem-message';
/** Far below what HTTP/2 peers accept as the total size of headers. */
const trailerBytesMax = 8 * 1024;

/** Header and message of a Problem that does not fit into a trailer; undefined when it fits. */
export function asMessage(problem: Problem): { head: Metadata; bytes: Buffer } | undefined {
  const bytes = encodeProblem(problem);
  if (bytes.length <= trailerBytesMax) return undefined;
  const head = new Metadata();
  head.set(announcement, 'true');
  return { head, bytes };
}

export function announcesProblem(head: Metadata | undefined): boolean {
  return head !== undefined && head.get(announcement).length > 0;
}

export function isProblem(error: ServiceError): boolean {
  return Buffer.isBuffer(error.metadata?.get(header)[0]);
}

/** The error that the other side threw; a service that is unreachable or late is `unavailable` (D175). */
export function problemOf(error: ServiceError): Problem {
  const [carried] = error.metadata?.get(header) ?? [];
  if (error.code === status.UNAUTHENTICATED) return unexpected(signatureRejected(error));
  if (Buffer.isBuffer(carried)) return refusalOf(carried);
  if (error.code === status.RESOURCE_EXHAUSTED) return new Problem('too_large', texts.tooLarge, {}, { cause: error });
  if (error.code === status.UNAVAILABLE || error.code === status.DEADLINE_EXCEEDED) return serviceDown(error);
  return unexpected(error);
}

/** The specification's 500, with the time after which a repetition is worth it. */
export function serviceDown(cause: Error): Problem {
  return new Problem('unavailable', texts.unexpected, { headers: retryAfter }, { cause });
}

/** A service authenticates processes, not clients: its 401 concerns this process and must not reach a client as one about its key. */
function signatureRejected(error: ServiceError): Error {
  return new Error(
    'the service rejects the signature of this process: both need the same keys for its calls (…_TO_…_KEYS) and equal clocks',
    { cause: error },
  );
}
