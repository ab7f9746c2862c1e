/** One request of a benchmark's preparation; an answer that is no success is an error. */
export async function ask(
  api: string,
  key: string,
  method: string,
  to: string,
  body?: object,
): Promise<{ data: { id: number; secret: string } }> {
  const headers = { 'X-API-Key': key, ...(body && { 'Content-Type': 'application/json' }) };
  const response = await fetch(`${api}${to}`, { method, headers, body: body ? JSON.stringify(body) : null });
  const text = await response.text();
  if (!response.ok) throw new Error(`${method} ${to} was answered with ${response.status}: ${text}`);
  return JSON.parse(text || '{}');
}
