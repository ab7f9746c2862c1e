/** Headers as node:http, express, fetch and most frameworks hand them over. */
export type ReceivedHeaders = { get(name: string): string | null } | Record<string, string | readonly string[] | undefined>;

interface VerifyCommon {
  /** The body's bytes exactly as they arrived; parse them only after they have been verified. */
  rawBody: Uint8Array | string;
  /** The signing secrets that you accept, each `whsec_…` as it was shown. Give the old and the new one while you rotate. */
  secrets: readonly string[];
}

/** The specification's signature: the X-Service-Signature header. */
export type VerifyService = VerifyCommon & { scheme?: 'service' } & ({ headers: ReceivedHeaders } | { signature: string });

/** Standard Webhooks: webhook-id, webhook-timestamp and webhook-signature. It also refuses what is too old or from the future. */
export interface VerifyStandard extends VerifyCommon {
  scheme: 'standard';
  headers: ReceivedHeaders;
  /** How far webhook-timestamp may be from `now`, either way; 300 when absent. */
  toleranceSeconds?: number;
  /** The time it is compared with; the machine's when absent. */
  now?: Date;
}

/**
 * Whether the request was signed with one of the secrets. A header that is absent, sent twice or
 * malformed is false; a wrong call (no secret, a body that was already parsed) throws a TypeError.
 */
export function verifySignature(request: VerifyService | VerifyStandard): boolean;
