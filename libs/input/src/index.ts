export { type Acceptance, type Acceptor, acceptor, refuseErrors, type Shape, sent } from './accept.ts';
