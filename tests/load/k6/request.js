/** One request as an integration sends it. Keys take turns, so that none meets its limit. */
import { check } from 'k6';
import http from 'k6/http';

/** What a client is told that comes when all are busy: to come again, and when. */
const isRefusal = ({ status, headers }) => (status === 500 || status === 429) && headers['Retry-After'] !== undefined;

/** `name`: under which the figures of requests to changing paths are collected. */
export function ask({ api, keys, n, stage, mayRefuse }, method, path, { body, name, status = 200, token, idempotencyKey } = {}) {
  const headers = {
    ...(token ? { Authorization: `Bearer ${token}` } : { 'X-API-Key': keys[n % keys.length] }),
    ...(body && { 'Content-Type': 'application/json' }),
    ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
  };
  const base = api[n % api.length];
  const response = http.request(method, `${base}${path}`, body ? JSON.stringify(body) : null, {
    headers,
    timeout: '35s',
    tags: { name: name ?? `${method} ${path}`, stage: String(stage) },
  });
  if (mayRefuse && response.status !== status) {
    check(response, { 'a request that is not served is told when to come again': isRefusal });
    return undefined;
  }
  const label = `${name ?? `${method} ${path}`} answers ${status}`;
  return check(response, { [label]: (answer) => answer.status === status }) ? response.json() : undefined;
}
