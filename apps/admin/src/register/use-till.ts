/** The till as components use it: its state, what it is told, and what is to pay. */

import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useRef, useState } from 'react';
import { call } from '../api/client.ts';
import { newIdempotencyKey } from '../api/idempotency-key.ts';
import { isFailure, isUnanswered } from '../api/problem.ts';
import { session, useOwn, useSession } from '../api/session.ts';
import { t } from '../language/t.ts';
import { catalogue } from '../parts/catalogue.ts';
import { betweenScans, takeOutBeginning, takeOutLead, takeTyped, useScans } from '../parts/scanner.ts';
import { nameless } from '../parts/worded.ts';
import { answerTo, carryOut, pauseOf, priceQuery, saidOf } from './carry-out.ts';
import { type Cart, cartAfter, emptyCart, faultOf, type Sold, saleOf } from './cart.ts';
import { type Scan, scanFrom } from './scan.ts';
import type { Sale, Till, TillEvent } from './till.ts';
import { tillAfter } from './till-after.ts';
import { isLocked, refusalOf, subjectOf } from './till-refusal.ts';
import { keepTill, tillOf, useTillOf } from './tills.ts';
import { unknownCode } from './unknown-code.ts';

const priceWaitMs = 120;
/** The price of the cart before is shown so long, and then none. */
const oldPriceMs = 700;

const soldOf = ({ id, name, effective_price, unit_type }: Sold): Sold => ({ id, name, effective_price, unit_type });

const wait = (attempts: number) => new Promise((resolve) => setTimeout(resolve, pauseOf(attempts)));

export function useTill() {
  const owner = useSession()?.user.id;
  const name = useOwn('till');
  const till = useTillOf(name);
  /** The next key may come before the last one is drawn. */
  const tillNow = () => tillOf(name);
  /** False: it was refused, and the clerk was told. */
  const tell = useCallback(
    (event: TillEvent): boolean => {
      const now = tillOf(name);
      const why = refusalOf(now, event);
      if (why) notifications.show({ message: why, color: 'yellow', autoClose: 8_000 });
      keepTill(name, tillAfter(now, event));
      return why === undefined;
    },
    [name],
  );
  const [isCutOff, setIsCutOff] = useState(false);
  useEffect(() => catalogue.keepFresh(), []);
  useLookUps(till, tell, setIsCutOff);
  const { attempts, giveUp } = useWork(till, tell, tillNow, owner);
  const take = (text: string, typed: string | undefined, mayBeName: boolean) => {
    const scan = scanFrom(text);
    if (!scan) return;
    const whole = typed === undefined ? undefined : scanFrom(typed);
    const { work } = tillNow();
    if (work && isLocked(tillNow())) {
      const { code } = scan;
      const notice =
        subjectOf(work) === 'pay' ? t('{code} is kept until the payment ends', { code }) : t('{code} is kept until this is done', { code });
      notifications.show({ message: notice, color: 'yellow' });
      // What a slow scanner left of it in a field, such as the cash, is taken out before that is counted. The look-up in its turn says what fails.
      if (whole) findScanned({ code, whole: whole.code }).catch(() => undefined);
    }
    const more = { ...(whole && { quantity: whole.quantity, whole: whole.code }), ...(mayBeName && { mayBeName }) };
    tell({ kind: 'scan', scan: { ...scan, ...more, id: newIdempotencyKey() } });
  };
  const enter = (text: string) => take(text, undefined, true);
  useScans((code, whole) => {
    takeTyped();
    take(code, whole, false);
  });
  return { till, tell, tillNow, enter, price: usePrice(till), isCutOff, attempts, giveUp };
}

/** Looks up what was scanned, one after the other in their order, until each is a line or is known to be none. */
function useLookUps({ scans: [next] }: Till, tell: (event: TillEvent) => unknown, onCutOff: (isCutOff: boolean) => void): void {
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each scan.
  useEffect(() => {
    if (!next) return;
    let left = false;
    const pause = async () => {
      onCutOff(!left);
      await wait(2);
      return !left;
    };
    // A code that the store refuses is none.
    const { id, code } = next;
    const answer = answerTo(() => findScanned(next), pause).catch(() => ({ code, products: [], customer: undefined }));
    void answer.then(async (found) => {
      await betweenScans();
      if (left || !found) return;
      onCutOff(false);
      const { customer, products } = found;
      tell({ kind: 'found', id, code: found.code, products: products.map(soldOf), ...(customer && { customer }) });
      // Last: a browser that can make no sound throws.
      if (products.length !== 1 && !customer) unknownCode();
    });
    return () => {
      left = true;
      onCutOff(false);
    };
  }, [next?.id]);
}

/** The products that have a code, or else the customer whose card has it. */
async function findScanned({ code, whole, mayBeName = false }: Pick<Scan, 'code' | 'whole' | 'mayBeName'>) {
  const found = await catalogue.findScanned(code, { whole, mayBeName });
  if (found.products.length > 0) return { ...found, customer: undefined };
  const of = whole === undefined ? undefined : await customerOf(whole);
  if (!of) {
    const customer = await customerOf(code);
    return { ...found, customer, ...(!customer && takeOutLead(whole) && { code: whole! }) };
  }
  takeOutBeginning(whole!);
  return { ...found, code: whole!, customer: of };
}

/** Undefined: nobody has the card, or it cannot be said now. The register sells while customers cannot be asked. */
async function customerOf(card_number: string): Promise<Cart['customer']> {
  const { customer } = await call('lookupCustomerByCard', { params: { card_number } }).catch((error: Error) => {
    if (isUnanswered(error) && !isFailure(error)) throw error;
    return { customer: undefined };
  });
  return customer && { id: customer.id, name: customer.name ?? nameless };
}

/** A sale does not say whether a reward of its customer gave its discount. */
function warnOfDiscount(sale: Sale): void {
  const { discount } = cartAfter(emptyCart, { kind: 'resume', sale });
  if (discount === '' || !sale.customer) return;
  const message = t('This sale has a discount. If a reward gave it, take it off when you change the customer');
  // Once, however many sales are resumed.
  notifications.show({ id: 'discount', message, color: 'yellow', autoClose: false });
}

/** And the drawer: its clerk may have closed it at another till. */
const changedBySales = [
  'listSales',
  'getSale',
  'getSalePayments',
  'summarizeSales',
  'listProducts',
  'getCustomerLoyalty',
  'listAvailableRewards',
  'getStoreCredit',
  'listCashDrawerSessions',
  'lookupGiftCard',
];

/** Carries out what is under way, once everything scanned before it is looked up. */
function useWork(till: Till, tell: (event: TillEvent) => unknown, tillNow: () => Till, owner: number | undefined) {
  const client = useQueryClient();
  const { work, scans } = till;
  const [attempts, setAttempts] = useState(0);
  const isGivenUp = useRef(false);
  const isStopped = work?.kind === 'send' && work.sending.isStopped === true;
  const isReady = work !== undefined && !isStopped && (scans.length === 0 || subjectOf(work) === 'discard');
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each step, and after a reload.
  useEffect(() => {
    if (!isReady || !work) return;
    let left = false;
    isGivenUp.current = false;
    setAttempts(0);
    const pause = async (count: number) => {
      setAttempts(count);
      await wait(count);
      // What one person sent is not sent again as another.
      return !left && !isGivenUp.current && session.get()?.user.id === owner;
    };
    void carryOut(work, till, { client, pause }).then((answer) => {
      if (!answer || (left && answer.kind === 'unanswered')) return;
      if (answer.kind === 'stored' && work.kind === 'send' && work.sending.next !== undefined)
        notifications.show({ message: t('Parked as {receipt}', { receipt: answer.receipt }) });
      const isAwaited = tillNow().work?.id === work.id;
      tell({ ...answer, id: work.id });
      if (answer.kind === 'taken' && isAwaited && till.parkedHere?.[answer.sale.id]?.rewarded === undefined) warnOfDiscount(answer.sale);
      if (answer.kind === 'stored' || answer.kind === 'refused' || answer.kind === 'unanswered')
        for (const name of changedBySales) void client.invalidateQueries({ queryKey: [name] });
    });
    return () => {
      left = true;
    };
  }, [work?.id, work?.kind, isReady]);
  const giveUp = () => {
    isGivenUp.current = true;
  };
  return { attempts, giveUp };
}

function usePrice({ cart }: Till) {
  const sale = saleOf(cart);
  const [asked] = useDebouncedValue(JSON.stringify(sale), priceWaitMs);
  const askedSale = JSON.parse(asked) as typeof sale;
  const fault = faultOf(cart);
  const price = useQuery({
    ...priceQuery(askedSale),
    enabled: askedSale.line_items.length > 0 && fault === undefined,
    placeholderData: (before) => before,
  });
  const { error } = price;
  const isOld = price.isPlaceholderData || asked !== JSON.stringify(sale);
  const [wasOld] = useDebouncedValue(isOld, oldPriceMs);
  return {
    sale: cart.lines.length > 0 && fault === undefined && !(isOld && wasOld) ? price.data : undefined,
    // What was refused is of the lines that were asked for.
    fault: fault ?? (isOld || !error ? undefined : isUnanswered(error) ? error.message : saidOf(error, cart.lines)),
    isOld,
  };
}
