/** The till as components use it: its cart, what it has sent, its scans, and what is to pay. */

import { useDebouncedValue } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { useCallback, useEffect, useMemo, useRef, useState } from 'react';
import { call, newIdempotencyKey } from '../api/client.ts';
import { ApiProblem } from '../api/problem.ts';
import { useSession } from '../api/session.ts';
import { versions } from '../api/versions.ts';
import { t } from '../language/t.ts';
import { catalogue } from '../parts/catalogue.ts';
import { useKept } from '../parts/kept.ts';
import { type CartAction, cartAfter, emptyCart, type Sold, saleOf } from './cart.ts';
import { ScanQueue } from './scan-queue.ts';
import { answerTo, endedElsewhere, isSignedOut, isUnanswered, type Sale, type Sending, type Till } from './till.ts';
import { unknownCode } from './unknown-code.ts';

const emptyTill: Till = { cart: emptyCart, unknown: [] };
const priceWaitMs = 120;
const retryMs = [500, 1_000, 2_000, 5_000];

const pauseOf = (attempts: number) => retryMs[Math.min(attempts, retryMs.length) - 1]!;

const soldOf = ({ id, name, effective_price, unit_type }: Sold): Sold => ({ id, name, effective_price, unit_type });

/** Sends it as it was sent before, if it was. */
async function send({ idempotencyKey, saleId, sale, version }: Sending): Promise<Sale> {
  const answer = saleId
    ? await call('updateSale', { params: { id: saleId }, body: { sale } }, { idempotencyKey, version })
    : await call('createSale', { body: { sale: sale as never } }, { idempotencyKey });
  return answer.sale;
}

/** A refusal in the clerk's words, where the sale ended at another till. */
async function explained(error: Error, { saleId }: Sending): Promise<Error> {
  if (saleId === undefined || isUnanswered(error)) return error;
  const sale = await call('getSale', { params: { id: saleId } }).then(
    (answer) => answer.sale as Sale,
    () => undefined,
  );
  const told = sale && endedElsewhere(sale);
  if (told !== undefined) return new Error(told);
  return sale && error instanceof ApiProblem && error.status === changedMeanwhile ? new Changed(sale) : error;
}

const changedMeanwhile = 412;

/** Another till has changed the parked sale: the cart becomes what it is now. */
class Changed extends Error {
  readonly resume: CartAction;

  constructor(sale: Sale) {
    super(t('{receipt} was changed at another till: this is how it is now', { receipt: sale.receipt_number }));
    this.resume = { kind: 'resume', sale, version: versions.of(`/sales/${sale.id}`) };
  }
}

/** What the API asks for this cart: discounts, promotions and tax included. Nothing is stored. */
function priceQuery(sale: ReturnType<typeof saleOf>) {
  return {
    queryKey: ['price', sale],
    queryFn: async () => (await call('createSale', { body: { sale: { ...sale, status: 'pending' } } }, { dryRun: true })).sale,
    staleTime: 30_000,
    gcTime: 60_000,
    retry: (_count: number, error: Error) => isUnanswered(error) && !isSignedOut(error),
    retryDelay: (count: number) => pauseOf(count + 1),
  };
}

export function useTill() {
  const client = useQueryClient();
  const [till, setTill] = useKept<Till>(`till-${useSession()?.user.id}`, emptyTill);
  const [scans, setScans] = useState({ waiting: 0, isCutOff: false });
  const [refused, setRefused] = useState<Error>();
  const [attempts, setAttempts] = useState(0);
  const latest = useRef(till);
  latest.current = till;
  const change = useCallback(
    (action: CartAction) => {
      if (latest.current.sending) return void notifications.show({ message: t('Wait until the sale is stored'), color: 'yellow' });
      setRefused(undefined);
      setTill(({ ended: _ended, ...now }) => ({ ...now, cart: cartAfter(now.cart, action) }));
    },
    [setTill],
  );
  const queue = useMemo(
    () =>
      new ScanQueue({
        lookUp: async (code) => {
          const products = await catalogue.find(code);
          return products.length === 0 ? undefined : products;
        },
        found: (products, { code, quantity }) => {
          const [product, ...others] = products;
          if (others.length === 0) return change({ kind: 'add', product: product!, quantity });
          unknownCode();
          setTill((now) => ({ ...now, choices: [...(now.choices ?? []), { code, quantity, products: products.map(soldOf) }] }));
        },
        unknown: (code) => {
          unknownCode();
          setTill((now) => ({ ...now, unknown: [...now.unknown, code] }));
        },
        changed: (waiting, isCutOff) => setScans({ waiting, isCutOff }),
        pause: () => new Promise((resolve) => setTimeout(resolve, pauseOf(2))),
        isUnanswered,
      }),
    [change, setTill],
  );
  useEffect(() => catalogue.keepFresh(), []);

  const sale = saleOf(till.cart);
  const [asked] = useDebouncedValue(JSON.stringify(sale), priceWaitMs);
  const askedSale = JSON.parse(asked) as typeof sale;
  const price = useQuery({
    ...priceQuery(askedSale),
    enabled: askedSale.line_items.length > 0,
    placeholderData: (before) => before,
  });

  /** The price of all that was scanned so far, and meanwhile. */
  const due = async () => {
    for (;;) {
      await queue.idle();
      // The last scan is in the cart after the next paint.
      await new Promise((resolve) => setTimeout(resolve));
      const priced = saleOf(latest.current.cart);
      const sale = await client.fetchQuery(priceQuery(priced));
      if (JSON.stringify(priced) === JSON.stringify(saleOf(latest.current.cart))) return sale;
    }
  };

  const givenUp = useRef(false);
  const begin = (sending: Omit<Sending, 'idempotencyKey'>) =>
    setTill((now) => ({ ...now, sending: { ...sending, idempotencyKey: newIdempotencyKey() } }));
  /** Only a sale that is parked still; one that another till completed is not voided. */
  const discard = async (id: number) => {
    try {
      const { sale } = await call('getSale', { params: { id } });
      const told = endedElsewhere(sale as Sale);
      if (told !== undefined) return setRefused(new Error(told));
      const voided = { status: 'voided', void_reason: t('Discarded at the register') } as const;
      begin({ kind: 'discard', saleId: id, sale: voided, version: versions.of(`/sales/${id}`) });
    } catch (error) {
      setRefused(error as Error);
    } finally {
      void client.invalidateQueries({ queryKey: ['listSales'] });
    }
  };
  const { sending } = till;
  // biome-ignore lint/correctness/useExhaustiveDependencies: it is sent once for each key, after a reload too.
  useEffect(() => {
    if (!sending || sending.isStopped) return;
    let left = false;
    givenUp.current = false;
    setAttempts(0);
    setRefused(undefined);
    const pause = async (count: number) => {
      setAttempts(count);
      await new Promise((resolve) => setTimeout(resolve, pauseOf(count)));
      return !left && !givenUp.current;
    };
    const end = (ended?: Till['ended']) => {
      if (left) return;
      setTill(({ sending: _sent, ...now }) => {
        if (!ended) return now;
        // Another sale than that of the cart.
        if (ended.kind === 'discard') return { ...now, ended };
        const { rewards = [] } = now.cart;
        const parkedRewards = { ...now.parkedRewards, ...(ended.kind === 'park' && { [ended.saleId]: rewards }) };
        return { ...now, cart: emptyCart, unknown: [], choices: [], ended, parkedRewards };
      });
    };
    answerTo(sending, { send, pause })
      .then((answer) => {
        if (!answer) return setTill((now) => ({ ...now, sending: { ...sending, isStopped: true } }));
        end({
          kind: sending.kind,
          saleId: answer.id,
          receipt: answer.receipt_number,
          total: answer.total,
          change: sending.change ?? '0.00',
        });
        for (const name of ['listSales', 'summarizeSales', 'listProducts']) void client.invalidateQueries({ queryKey: [name] });
      })
      .catch(async (error: Error) => {
        const told = await explained(error, sending);
        if (left) return;
        end();
        if (told instanceof Changed) setTill((now) => ({ ...now, cart: cartAfter(now.cart, told.resume) }));
        setRefused(told);
        void client.invalidateQueries({ queryKey: ['listSales'] });
      });
    return () => {
      left = true;
    };
  }, [sending?.idempotencyKey, sending?.isStopped]);

  return {
    till,
    setTill,
    change,
    scan: (text: { code: string; quantity: number }) => queue.add(text),
    scans,
    price: {
      sale: till.cart.lines.length > 0 ? price.data : undefined,
      error: price.error,
      isOld: price.isPlaceholderData || asked !== JSON.stringify(sale),
    },
    due,
    begin,
    discard,
    sending,
    attempts,
    giveUp: () => {
      givenUp.current = true;
    },
    /** Asks again under the same key, or takes the sale for one that is not there. */
    goOn: (isThere: boolean) =>
      setTill(({ sending: stopped, ...now }) => (isThere && stopped ? { ...now, sending: { ...stopped, isStopped: false } } : now)),
    refused,
    setRefused,
  };
}
