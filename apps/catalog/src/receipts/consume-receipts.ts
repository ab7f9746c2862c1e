/** Listens to purchasing: receipts, corrections and invoices, as far as they change costs. */
import { isPositive, type Message } from '@store/events';
import type { VersionedLine } from './keep-costs.ts';

export function wantsReceipt(message: Message): boolean {
  return message.internal?.receipt !== undefined;
}

const quantityPattern = /^\d{1,11}(\.\d{1,3})?$/;
const costPattern = /^\d{1,12}(\.\d{1,4})?$/;

/** Throws at an invalid line, so that it ends in dead_letters. */
export function linesOf({ internal, version }: Message): VersionedLine[] {
  const { lines } = internal!.receipt!;
  if (!Array.isArray(lines) || version === undefined) throw new Error('the event has no lines of a receipt');
  for (const { line_id, product_id, quantity, unit_cost, landed_cost } of lines) {
    const isSound =
      isPositive(line_id) &&
      (product_id === null || isPositive(product_id)) &&
      quantityPattern.test(quantity) &&
      [unit_cost, landed_cost].every((cost) => cost === null || costPattern.test(cost));
    if (!isSound) throw new Error('the event has a line that is none');
  }
  return lines.map((line) => ({ ...line, version }));
}
