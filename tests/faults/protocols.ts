/** The messages of the protocols whose connections are cut. */
import type { Reading } from './message-cuts.ts';

/** Cuts what comes into whole frames. `lengthOf`: that of the first one in `rest`, once enough of it is there; `index`: frames before it. */
function inFrames(lengthOf: (rest: Buffer, index: number) => number | undefined): (chunk: Buffer) => Buffer[] {
  let rest = Buffer.alloc(0);
  let index = 0;
  return (chunk) => {
    rest = Buffer.concat([rest, chunk]);
    const frames: Buffer[] = [];
    for (;;) {
      const length = lengthOf(rest, index);
      if (length === undefined || rest.length < length) return frames;
      frames.push(rest.subarray(0, length));
      rest = rest.subarray(length);
      index += 1;
    }
  };
}

/** RFC 9113: a preface of the client, then frames of nine bytes and their payload. A call is a stream that the client's HEADERS open. */
const prefaceLength = 24;
const frameHead = 9;
const headersType = 1;
const streamOf = (frame: Buffer): number => frame.readUInt32BE(5) & 0x7fffffff;
const frameLength = (rest: Buffer) => (rest.length < frameHead ? undefined : frameHead + rest.readUIntBE(0, 3));

export function grpcCalls(): Reading<undefined> {
  const ofClient = inFrames((rest, index) => (index === 0 ? prefaceLength : frameLength(rest)));
  const ofServer = inFrames(frameLength);
  const opens = (frame: Buffer) => frame[3] === headersType;
  return {
    // The fourth byte of the preface is another one.
    ofClient: (chunk) =>
      ofClient(chunk).map((bytes) => ({ bytes, ...(opens(bytes) && { begins: { number: streamOf(bytes), message: undefined } }) })),
    ofServer: (chunk) => ofServer(chunk).map((bytes) => ({ bytes, answers: streamOf(bytes) })),
  };
}

/** A client sends what it asks in one piece each time; any answer after it ends the connection whose answer is to be lost. */
export const redisCommands = (): Reading<undefined> => ({
  ofClient: (bytes) => [{ bytes, begins: { number: 0, message: undefined } }],
  ofServer: (bytes) => [{ bytes, answers: 0 }],
});

/** What ends with a Query or a Sync. */
export interface Statement {
  /** Of the service that sends it. */
  schema: string;
  isCommit: boolean;
}

/** Frontend messages that belong to a statement, and those that end one. */
const ofStatement = 'PBDECHFQS';
const ends = 'QS';
const readyForQuery = 'Z';
const commitText = /^Q....commit\0$/is;
const typeOf = (frame: Buffer): string => String.fromCharCode(frame[0]!);

/** A type, and a length that does not count it; the first message of a client has no type. */
const messageLength = (rest: Buffer, typed: number) => (rest.length < typed + 4 ? undefined : typed + rest.readUInt32BE(typed));

export function postgresStatements(): Reading<Statement> {
  const ofClient = inFrames((rest, index) => messageLength(rest, index === 0 ? 0 : 1));
  const ofServer = inFrames((rest) => messageLength(rest, 1));
  let schema: string | undefined;
  let statement: Buffer[] = [];
  /** The answer to the start is the first. */
  let [sent, answered] = [0, 0];
  return {
    inOrder: true,
    ofClient: (chunk) =>
      ofClient(chunk).flatMap((frame) => {
        if (schema === undefined) {
          schema = /application_name\0store-([a-z]+)\0/.exec(frame.toString('latin1'))?.[1] ?? '';
          return [{ bytes: frame }];
        }
        if (!ofStatement.includes(typeOf(frame))) return [{ bytes: frame }];
        statement.push(frame);
        if (!ends.includes(typeOf(frame))) return [];
        const bytes = Buffer.concat(statement);
        statement = [];
        sent += 1;
        return [{ bytes, begins: { number: sent, message: { schema, isCommit: commitText.test(bytes.toString('latin1')) } } }];
      }),
    ofServer: (chunk) =>
      ofServer(chunk).map((bytes) => {
        const isPartial = typeOf(bytes) !== readyForQuery;
        return { bytes, answers: isPartial ? answered : answered++, isPartial };
      }),
  };
}
