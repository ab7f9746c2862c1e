/** Writes answers: success bodies, and the one place where a Problem becomes a status and a body. */
import type { Problem } from '@store/problem';
import type { Request, Response } from 'express';
import { endAfterLingering, leavesMuchUnread } from './unread-body.ts';

/** Sends JSON, which may be compressed, with its length; HEAD gets the headers alone (D15). */
export function sendJson(request: Request, response: Response, status: number, json: string | Buffer): void {
  const lingers = leavesMuchUnread(request);
  if (lingers) response.setHeader('Connection', 'close');
  response.writeHead(status, { 'Content-Type': 'application/json; charset=utf-8', 'Content-Length': Buffer.byteLength(json) });
  const body = request.method === 'HEAD' ? '' : json;
  if (!lingers) {
    response.end(body);
    return;
  }
  if (body === '') response.flushHeaders();
  else response.write(body);
  endAfterLingering(request, response);
}

export const errorCodeOf = ({ kind, extra }: Problem): string => extra.code ?? kind;

/** "Error bodies are not wrapped in the envelope." */
export function sendProblem(request: Request, response: Response, problem: Problem, requestId: string): void {
  const { body, headers, ...extra } = problem.extra;
  // A database error names the request id for support, never the statement (D28).
  const details = problem.kind === 'database' ? { details: requestId } : {};
  for (const [name, value] of Object.entries(headers ?? {})) response.setHeader(name, value);
  response.setHeader('X-Error-Code', errorCodeOf(problem));
  sendJson(request, response, problem.status, JSON.stringify(body ?? { error: problem.message, ...extra, ...details }));
}
