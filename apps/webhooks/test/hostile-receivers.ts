/**
 * Hostile receivers in a separate process, so that the memory and the sockets that a test counts are those of the attempts alone. It
 * sends its parent their ports, and ends with it.
 */
import { createServer } from 'node:net';
import { selfSignedCertificate } from '@store/testbed/certificates';
import { hostile, inLoad } from './hostile-kinds.ts';
import { ca, closeLast, listen, receiverThat } from './receivers.ts';

/** What a test needs of them: the certificate authority, and the port of each kind. */
export interface HostilePlaces {
  caPem: string;
  ports: Record<string, number>;
}

const ports: Record<string, number> = {};
for (const kind of inLoad) ports[kind] = (await receiverThat(hostile[kind]![0])).port;
ports.tls = (await receiverThat(() => undefined, selfSignedCertificate({ names: ['127.0.0.1'] }))).port;
ports.refused = (await listen(createServer())).port;
await closeLast();

process.send!({ caPem: ca.caPem, ports } satisfies HostilePlaces);
process.once('disconnect', () => process.exit());
