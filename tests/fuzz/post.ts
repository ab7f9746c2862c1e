/** Sends a preparatory request, which must succeed before the fuzz begins. */
export async function post(url: string, body: unknown, session?: string): Promise<unknown> {
  const headers = { 'Content-Type': 'application/json', ...(session && { Authorization: `Bearer ${session}` }) };
  const response = await fetch(url, { method: 'POST', headers, body: JSON.stringify(body) });
  if (!response.ok) throw new Error(`POST ${url} was answered ${response.status}: ${await response.text()}`);
  return response.json();
}
