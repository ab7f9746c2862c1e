/** Hands a delivery on to a receiver that speaks plain HTTP on this machine, as the store sent it. */

/** The store waits as long for an answer. */
const waitMs = 10_000;
const badGateway = 502;
/** They belong to the connection or to the store's URL. */
const ownHeaders = new Set(['host', 'connection', 'keep-alive', 'content-length', 'transfer-encoding', 'expect']);

interface Delivery {
  method?: string;
  headers: NodeJS.Dict<string | string[]>;
  rawBody: Buffer;
}

/** The status that the receiver answers with, for the store; 502 if there is none. */
export async function forwarded(to: string, { method, headers, rawBody }: Delivery): Promise<number> {
  const kept = Object.entries(headers).filter(([name]) => !ownHeaders.has(name)) as [string, string][];
  const hasBody = method !== 'GET' && method !== 'HEAD';
  try {
    const signal = AbortSignal.timeout(waitMs);
    const answer = await fetch(to, { method, headers: kept, body: hasBody ? new Uint8Array(rawBody) : null, redirect: 'manual', signal });
    await answer.body?.cancel();
    return answer.status;
  } catch (error) {
    const { message, cause } = error as Error;
    console.error(`${to} does not answer (${cause instanceof Error ? cause.message : message}): is your receiver running?`);
    return badGateway;
  }
}
