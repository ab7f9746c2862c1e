/**
 * The specification's signature depends on body and secret alone, so it is the same on every attempt (Delivery 4); what changes is in the
 * headers of Standard Webhooks and X-Service-Attempt (D135).
 */
import { createHmac } from 'node:crypto';
import { systemRequestId } from '@store/rpc';

export const secretPrefix = 'whsec_';
const userAgent = 'Store-Webhooks/1.0';

/** The parts of every signed POST, the test ping included. */
interface SignedPost {
  /** The stored bytes; they are sent as they are. */
  body: Buffer;
  event: string;
  /** The delivery's own secret, fixed at fan-out, then the others in force during a rotation. */
  secrets: readonly [string, ...string[]];
  /** The body's id: webhook-id, and of a delivery X-Service-Delivery. */
  id: string;
  /** When this attempt starts; Standard Webhooks signs it. */
  at: Date;
}

interface SignedDelivery extends SignedPost {
  /** The request that caused the event; null: unknown. */
  requestId: string | null;
  /** The event's number in the store's event log. */
  sequence: number;
  /** 1 to 5. */
  attempt: number;
}

/** D180: the test ping has no delivery header, as it is not logged. D281: libraries of Standard Webhooks verify it. */
export function testPingHeaders({ id, at, body, event, secrets }: SignedPost): Record<string, string> {
  const timestamp = Math.floor(at.getTime() / 1000);
  return {
    'Content-Type': 'application/json',
    'User-Agent': userAgent,
    'X-Service-Signature': serviceSignature(secrets[0], body),
    'X-Service-Event': event,
    'webhook-id': id,
    'webhook-timestamp': String(timestamp),
    'webhook-signature': secrets.map((secret) => standardSignature(secret, id, timestamp, body)).join(' '),
  };
}

export function deliveryHeaders(delivery: SignedDelivery): Record<string, string> {
  return {
    ...testPingHeaders(delivery),
    'X-Service-Delivery': delivery.id,
    'X-Service-Sequence': String(delivery.sequence),
    'X-Service-Attempt': String(delivery.attempt),
    ...(isRequest(delivery.requestId) && { 'X-Service-Request': delivery.requestId }),
  };
}

/** Events that a service causes by itself, such as the start of a promotion, have no request. */
const isRequest = (id: string | null): id is string => id !== null && id !== '' && id !== systemRequestId;

/** D134: the key is the secret's text as shown, prefix included. */
export function serviceSignature(secret: string, body: Buffer): string {
  return `sha256=${createHmac('sha256', Buffer.from(secret, 'utf8')).update(body).digest('hex')}`;
}

/** D134: the key is the decoded text after the prefix, as the libraries of Standard Webhooks expect. */
export function standardSignature(secret: string, id: string, timestamp: number, body: Buffer): string {
  const key = Buffer.from(secret.slice(secretPrefix.length), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest('base64')}`;
}
