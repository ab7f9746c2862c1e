export {
  type AnyVerbs,
  bindVerbs,
  type Call,
  Reply,
  type ReplyOptions,
  type VerbOf,
  type Verbs,
  type VerbTable,
} from './call.ts';
export { type Caller, type FixedPart, noTax, type RequestPart, systemCaller, systemRequestId, type Tax } from './caller.ts';
export { type Answer, type Channel, client, connect, type From, type Rpcs, send } from './client.ts';
export { type StreamedAnswer, sendStreaming } from './client-stream.ts';
export { decodeProblem, encodeProblem } from './problem-metadata.ts';
export { type RpcServer, serve } from './server.ts';
export { type Pair, ServiceKeys, type ServiceSecret, type Verifier } from './service-keys.ts';
export { type EncodedFixedPart, encodeFixedPart, headerOf, openCaller, signCaller, signedCallerOf } from './signed-caller.ts';
export { derivedIds, failSpan, inSpan, openRequestSpan, openSpan, publicationOf, traceBy } from './trace.ts';
export type { PeerTrust, Tls, Trust } from './trust.ts';
