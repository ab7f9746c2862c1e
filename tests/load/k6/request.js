/** One request as an integration sends it. Keys take turns, so that none meets its limit. */
import { check } from 'k6';
import http from 'k6/http';

/** `name`: under which the figures of requests to changing paths are collected. */
export function ask({ api, keys, n }, method, path, { body, name, status = 200, token, idempotencyKey } = {}) {
  const headers = {
    ...(token ? { Authorization: `Bearer ${token}` } : { 'X-API-Key': keys[n % keys.length] }),
    ...(body && { 'Content-Type': 'application/json' }),
    ...(idempotencyKey && { 'Idempotency-Key': idempotencyKey }),
  };
  const base = api[n % api.length];
  const response = http.request(method, `${base}${path}`, body ? JSON.stringify(body) : null, {
    headers,
    timeout: '35s',
    tags: { name: name ?? `${method} ${path}` },
  });
  const label = `${name ?? `${method} ${path}`} answers ${status}`;
  return check(response, { [label]: (answer) => answer.status === status }) ? response.json() : undefined;
}
