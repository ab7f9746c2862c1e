export class StoreApiError extends Error {
  constructor({ operation, status, code, requestId, body, retryAfterSeconds }) {
    super(`${operation}: ${status} ${body?.error ?? body?.errors?.[0] ?? body?.message ?? code}`);
    this.name = 'StoreApiError';
    this.operation = operation;
    this.status = status;
    this.code = code;
    this.requestId = requestId;
    this.body = body;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get errors() {
    return this.body?.errors;
  }
}

/** No answer came: the network, or the time limit of an attempt. */
export class StoreConnectionError extends Error {
  constructor(operation, cause) {
    super(`${operation}: no answer from the API (${cause?.message ?? cause})`, { cause });
    this.name = 'StoreConnectionError';
    this.operation = operation;
  }
}

export function isStoreError(error, ...codes) {
  return error instanceof StoreApiError && (codes.length === 0 || codes.includes(error.code));
}
