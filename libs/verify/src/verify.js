// Plain JavaScript, so that it can be published and read as it is; the types are in verify.d.ts.
import { createHmac, timingSafeEqual } from 'node:crypto';

const secretPrefix = 'whsec_';
const toleranceDefaultSeconds = 300;

export function verifySignature(request) {
  const { rawBody, secrets, scheme = 'service' } = request;
  if (typeof rawBody !== 'string' && !(rawBody instanceof Uint8Array)) {
    throw new TypeError('rawBody must be the bytes as they arrived, not a parsed body');
  }
  if (!Array.isArray(secrets) || secrets.length === 0 || !secrets.every((secret) => typeof secret === 'string' && secret !== '')) {
    throw new TypeError('secrets must be a list of at least one signing secret');
  }
  if (scheme === 'service') return verifyService(request, secrets, rawBody);
  if (scheme === 'standard') return verifyStandard(request, secrets, rawBody);
  throw new TypeError("scheme must be 'service' or 'standard'");
}

/** The key is the secret's text, prefix included; the signature is over the body alone. */
function verifyService({ signature, headers }, secrets, rawBody) {
  if (signature === undefined && headers === undefined) throw new TypeError('headers or signature is required');
  const text = signature ?? headerOf(headers, 'x-service-signature');
  const hex = typeof text === 'string' ? /^sha256=([0-9a-f]{64})$/.exec(text)?.[1] : undefined;
  if (hex === undefined) return false;
  return anyEqual(
    secrets.map((secret) => createHmac('sha256', secret).update(rawBody).digest()),
    [Buffer.from(hex, 'hex')],
  );
}

/** The key is what the text after the prefix decodes to; the signature is over id, time and body. */
function verifyStandard({ headers, toleranceSeconds = toleranceDefaultSeconds, now = new Date() }, secrets, rawBody) {
  if (headers === undefined) throw new TypeError('headers is required');
  const id = headerOf(headers, 'webhook-id');
  const timestamp = headerOf(headers, 'webhook-timestamp');
  const list = headerOf(headers, 'webhook-signature');
  if (!id || !list || timestamp === undefined || !/^\d{1,12}$/.test(timestamp)) return false;
  if (!(Math.abs(now.getTime() / 1000 - Number(timestamp)) <= toleranceSeconds)) return false;
  const given = list.split(' ').flatMap((item) => {
    const base64 = /^v1,([A-Za-z0-9+/]{43}=)$/.exec(item)?.[1];
    return base64 === undefined ? [] : [Buffer.from(base64, 'base64')];
  });
  return anyEqual(
    secrets.map((secret) => createHmac('sha256', decodedKey(secret)).update(`${id}.${timestamp}.`).update(rawBody).digest()),
    given,
  );
}

function decodedKey(secret) {
  return Buffer.from(secret.startsWith(secretPrefix) ? secret.slice(secretPrefix.length) : secret, 'base64');
}

/** Compares every pair, so that the time taken says nothing of which secret or which byte was right. */
function anyEqual(expected, given) {
  let found = false;
  for (const mine of expected) {
    for (const theirs of given) {
      if (timingSafeEqual(mine, theirs)) found = true;
    }
  }
  return found;
}

/** A header sent twice has no one value, so it has none. */
function headerOf(headers, name) {
  if (typeof headers.get === 'function') return headers.get(name) ?? undefined;
  const values = Object.entries(headers).flatMap(([key, value]) =>
    key.toLowerCase() === name && value !== undefined ? [value].flat() : [],
  );
  return values.length === 1 && typeof values[0] === 'string' ? values[0] : undefined;
}
