export { Metadata } from '@grpc/grpc-js';
export {
  type Actor,
  type Caller,
  decodeCaller,
  encodeCaller,
  encodeRequestPart,
  encodeStanding,
  noTax,
  systemCaller,
  type Tax,
} from './caller.ts';
export { type Answer, type Channel, client, connect, type Rpcs, send } from './client.ts';
export { decodeProblem, encodeProblem } from './problem-metadata.ts';
export { type Call, Reply, type ReplyOptions, type RpcLog, type RpcServer, serve, type Verbs } from './server.ts';
