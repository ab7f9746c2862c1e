/** Lists that are not paginated are capped (D44), by rows, and by bytes so that no answer is large (D260). */
import { firstRows } from '@store/db';
import { Reply } from '@store/rpc';

const rowsMax = 500;
/** Of the 4 MB that an answer may take: as JSON rows are longer, with the names of members, and a product's barcodes are in it twice. */
export const listBytesMax = 2_500_000;

interface Capped<Row, Message> {
  max?: number;
  read: (limit: number) => Promise<Row[]>;
  answer: (rows: Row[]) => Message;
}

/** The answer with the first rows; where there are more, the header says so (D276). */
export async function cappedList<Row, Message>({ max = rowsMax, read, answer }: Capped<Row, Message>): Promise<Message | Reply<Message>> {
  const { rows, isCut } = await firstRows(max, listBytesMax, read);
  return cutList(answer(rows), isCut);
}

export function cutList<Message>(message: Message, isCut: boolean): Message | Reply<Message> {
  return isCut ? new Reply(message, { headers: { 'X-Truncated': 'true' } }) : message;
}
