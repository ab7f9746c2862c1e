/** The transaction of a verb that changes something, Idempotency-Key included (D185). */
import { answersOf, encodeView, messageType } from '@store/contract';
import { type AnswerCodec, type Db, type EntityManager, once, type StoredAnswer } from '@store/db';
import { demandNoBacklog } from '@store/events';
import { Problem } from '@store/problem';
import { type Call, type Caller, decodeProblem, encodeProblem, Reply } from '@store/rpc';

/** Encrypts an answer that holds a secret while it is stored. */
export interface Seal {
  close(bytes: Uint8Array): Buffer;
  open(bytes: Uint8Array): Buffer;
}

interface ChangeOptions<Asked = undefined> {
  db: Db;
  call: Pick<Call, 'caller' | 'deadlineMs'>;
  /** Full name of the response message, such as store.catalog.v1.ProductResponse. */
  response: string;
  /** Success status that the endpoint declares. */
  status?: number;
  seal?: Seal;
  /** Calls to other services, before the transaction, once, and not for a repetition. Safe to repeat; `work` gets the result. */
  ask?: () => Promise<Asked>;
}

const replayedHeader = { 'Idempotency-Replayed': 'true' };

/**
 * Runs `work` in one transaction of the caller's store, once per Idempotency-Key. A Problem that is
 * thrown rolls everything back; one that is returned is the answer while the changes are committed (bulk_update).
 * A dry run is rolled back and answered all the same (D202). A bulk rpc is refused, tried or not, while the
 * store has a backlog (D258); a repetition gets its stored answer all the same.
 */
export async function change<Message, Asked = undefined>(
  { db }: { db: Db },
  call: Call,
  work: Work<Message, Asked>,
  more: Pick<ChangeOptions<Asked>, 'seal' | 'ask'> = {},
): Promise<Message | Reply<Message>> {
  const options = { db, call, ...answersTo(call), ...more, ask: askOf(db, call, more.ask) };
  const answer = await run(options, work);
  if (answer instanceof Problem) throw answer;
  return isStored(answer) ? replay(answer, options.seal) : answer;
}

function askOf<Asked>(db: Db, call: Call, ask?: () => Promise<Asked>): (() => Promise<Asked>) | undefined {
  if (!answersOf(call.rpc).bulk) return ask;
  return async () => {
    await demandNoBacklog(db, call.caller.storeId);
    return (await ask?.()) as Asked;
  };
}

type Work<Message, Asked = undefined> = (em: EntityManager, asked: Asked) => Promise<Message | Reply<Message> | Problem>;

function answersTo({ rpc }: Call): { response: string; status: number } {
  const { response, success } = answersOf(rpc);
  return { response: response.fullName.slice(1), status: success };
}

async function run<Message, Asked>(
  options: ChangeOptions<Asked>,
  work: Work<Message, Asked>,
): Promise<StoredAnswer | Message | Reply<Message> | Problem> {
  const { db, call, seal, ask } = options;
  const { caller } = call;
  if (caller.dryRun || !caller.idempotency) {
    const asked = (await ask?.()) as Asked;
    return callUnit(db, call, (em) => work(em, asked));
  }
  const type = messageType(options.response);
  const request = { storeId: caller.storeId, actor: actorOf(caller), ...caller.idempotency };
  const codec: AnswerCodec<Message | Reply<Message> | Problem> = {
    encode: (result) => {
      if (result instanceof Problem) return { status: result.status, bytes: encodeProblem(result) };
      const message = result instanceof Reply ? result.message : result;
      const bytes = encodeView(type, message as object);
      return {
        status: (result instanceof Reply ? result.options.status : undefined) ?? options.status ?? 200,
        bytes: seal ? seal.close(bytes) : bytes,
      };
    },
    encodeProblem,
  };
  return once(db, { request, codec, ask }, work);
}

/** One transaction of the caller's store, without an Idempotency-Key; that of a dry run is rolled back. */
export const callUnit: Unit = (db, call, work) => (call.caller.dryRun ? rolledBack : committed)(db, call, work);

type Unit = <T>(db: Db, call: ChangeOptions['call'], work: (em: EntityManager) => Promise<T>) => Promise<T>;

const committed: Unit = (db, call, work) => db.unit(call.caller.storeId, work);

/** Carries the answer of a dry run out of the transaction that it rolls back. */
class DryRunAnswer<T> extends Error {
  readonly answer: T;

  constructor(answer: T) {
    super('A dry run keeps nothing');
    this.answer = answer;
  }
}

const rolledBack: Unit = async (db, call, work) => {
  type Answer = Awaited<ReturnType<typeof work>>;
  try {
    return await committed(db, call, async (em): Promise<never> => {
      throw new DryRunAnswer(await work(em));
    });
  } catch (error) {
    if (error instanceof DryRunAnswer) return (error as DryRunAnswer<Answer>).answer;
    throw error;
  }
};

function isStored(answer: unknown): answer is StoredAnswer {
  return typeof answer === 'object' && answer !== null && 'replayed' in answer && answer.replayed === true;
}

function replay<Message>(answer: StoredAnswer, seal: Seal | undefined): Reply<Message> {
  if (answer.status >= 400) {
    const problem = decodeProblem(answer.bytes);
    throw new Problem(problem.kind, problem.message, { ...problem.extra, headers: replayedHeader });
  }
  const bytes = seal ? seal.open(answer.bytes) : answer.bytes;
  return new Reply<Message>(undefined, { status: answer.status, headers: replayedHeader, bytes });
}

/** Who did it, as ledgers and facts name them: the member of staff, or the admin who created the key; null for the system. */
export function userOf({ actor }: Pick<Caller, 'actor'>): { id: number; name: string } | null {
  return actor.userId > 0 ? { id: actor.userId, name: actor.userName } : null;
}

/** The owner of an Idempotency-Key and of other counts, such as key:12 or user:3. */
export function actorOf(caller: Caller): string {
  return caller.actor.type === 'key' ? `key:${caller.actor.keyId}` : `user:${caller.actor.userId}`;
}
