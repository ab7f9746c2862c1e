/** A count of many products at once: what was counted becomes their stock. The draft stays in this tab until it is recorded. */

import { Button, Group, Select, Stack, Text } from '@mantine/core';
import { notifications } from '@mantine/notifications';
import { useNavigate } from 'react-router';
import type { Schemas } from '../api/gen/api.js';
import { useKept } from '../api/kept.ts';
import { useWrite } from '../api/query.ts';
import { useOwn } from '../api/session.ts';
import { numberText, t } from '../language/t.ts';
import { Page, Section } from '../parts/page.tsx';
import { type ProductLine, ProductLines } from '../parts/product-lines.tsx';
import { isNoQuantity, lessOf } from '../parts/quantity.ts';
import { sayNotCounted } from '../parts/say-scanned.ts';
import { AskAgain, SentFields, useSending } from '../parts/sending.tsx';
import { TextField } from '../parts/text-field.tsx';
import { undoable } from '../parts/undoable.tsx';
import { useLooksUp } from '../parts/use-codes.ts';
import { useLocations } from './use-locations.ts';

interface CountLine extends ProductLine {
  /** When it was scanned; sales go on. */
  stock: number;
  /** When its quantity was last scanned or typed, by this tab's clock. */
  at?: number;
}

interface Draft {
  location: string | null;
  notes: string;
  lines: CountLine[];
}

/** The API takes so many at once; the others are still to be recorded. */
const linesMax = 1_000;
/** It looks no further back. */
const agoMaxSeconds = 31 * 24 * 60 * 60;

const saidMax = 20;

const empty: Draft = { location: null, notes: '', lines: [] };

/** What was counted before it was cleared, and since then. */
function both(before: Draft, since: Draft): Draft {
  const counted = new Map(since.lines.map((line) => [line.productId, line]));
  const known = new Set(before.lines.map(({ productId }) => productId));
  const lines = before.lines.map((line) => {
    const more = counted.get(line.productId);
    if (more === undefined) return line;
    const wrong = [line.quantity, more.quantity].find(isNoQuantity);
    if (wrong !== undefined) sayNotCounted(line.name);
    return { ...more, quantity: wrong ?? lessOf(line.quantity, -Number(more.quantity)) };
  });
  const fresh = since.lines.filter(({ productId }) => !known.has(productId));
  return { location: since.location ?? before.location, notes: since.notes || before.notes, lines: [...lines, ...fresh] };
}

/** What is another line than before was counted now. */
function countedNow(before: CountLine[], after: CountLine[]): CountLine[] {
  const known = new Set(before);
  return after.map((line) => (known.has(line) ? line : { ...line, at: Date.now() }));
}

/** As the API takes it: an age, as this clock may be wrong. It may have been set since, back or forth. */
function sentOf({ productId, quantity, at }: CountLine) {
  const line = { product_id: productId, counted_quantity: Number(quantity) };
  // A draft of before an update says no time.
  if (at === undefined) return line;
  const secondsAgo = Math.round((Date.now() - at) / 1_000);
  return { ...line, counted_seconds_ago: Math.min(Math.max(secondsAgo, 0), agoMaxSeconds) };
}

/** What was booked since it was counted may be goods that were counted: what the whole stock is now is told. */
function sayMoved(rows: Schemas['StockAdjustment'][], { lines, warehouse_location_id }: Schemas['StockReconciliationInput']): void {
  const counted = new Map(lines.map((line) => [line.product_id, line.counted_quantity]));
  const moved = warehouse_location_id === undefined ? rows.filter((row) => row.quantity_after !== counted.get(row.product_id)) : [];
  const said = moved.slice(0, saidMax).map(({ product_id, product_name: name, quantity_after }) => {
    const numbers = { counted: numberText(counted.get(product_id)!), stock: numberText(quantity_after) };
    return t('{name}: {counted} counted, {stock} with what was booked since', { name, ...numbers });
  });
  const others = moved.length > saidMax ? [t('and {count} more', { count: numberText(moved.length - saidMax) })] : [];
  if (moved.length > 0) notifications.show({ message: [...said, ...others].join('; '), autoClose: false });
}

export default function Count() {
  const kept = useOwn('count');
  const [{ location, notes, lines }, setDraft] = useKept<Draft>(kept, empty);
  const locations = useLocations();
  const navigate = useNavigate();
  const count = useWrite('createStockReconciliation', {
    changes: ['listStockAdjustments', 'getProduct', 'listProducts', 'listLowStock'],
    quiet: true,
    kept,
    done: () =>
      lines.length > linesMax
        ? t('The first {count} are recorded: record the others too', { count: numberText(linesMax) })
        : t('The count is recorded'),
    // What was counted meanwhile is still to be recorded.
    onDone: ({ stock_reconciliation: counted }, { body }) => {
      sayMoved(counted!.stock_adjustments, body.stock_reconciliation);
      setDraft((draft) => {
        const sent = new Map(body.stock_reconciliation.lines.map((line) => [line.product_id, line.counted_quantity]));
        const rest = draft.lines.filter(({ productId, quantity }) => sent.get(productId) !== Number(quantity));
        // The next shelf is most often of the same place.
        return rest.length > 0 ? { ...draft, lines: rest } : { ...empty, location: draft.location };
      });
    },
  });
  const record = () =>
    count.mutate(
      // As it was: its age would make it another count.
      count.lost.current ??
        count.owed ?? {
          body: {
            stock_reconciliation: {
              lines: lines.slice(0, linesMax).map(sentOf),
              ...(location !== null && { warehouse_location_id: Number(location) }),
              ...(notes.trim() && { notes: notes.trim() }),
            },
          },
        },
    );
  const { submit, isLost } = useSending(count, record);
  const looksUp = useLooksUp();
  const clear = () => {
    const before = { location, notes, lines };
    setDraft(() => ({ ...empty, location }));
    undoable(t('The count was cleared'), () => setDraft((since) => both(before, since)));
  };
  return (
    <Page
      title={t('Count stock')}
      above={['/stock', t('Stock ledger')]}
      about={t(
        'What you count becomes the stock; what is booked as sold or received after a product’s last scan is taken into account. Each scan counts one. Count a product in all its places before you record it: a later count replaces it.',
      )}
    >
      <Section>
        {/* No form: Enter behind a scan or a quantity records nothing. */}
        <Stack>
          <SentFields sent={count}>
            {locations.length > 0 && (
              <Select
                label={t('Where')}
                placeholder={t('Everywhere')}
                description={
                  location === null
                    ? undefined
                    : t('Stock that was booked at no location stays as it is: once all places are counted, count everywhere too')
                }
                clearable
                maw={360}
                data={locations}
                value={location}
                onChange={(next) => setDraft((draft) => ({ ...draft, location: next }))}
              />
            )}
            <ProductLines
              label={t('Counted products')}
              quantity={t('Counted|products')}
              lines={lines}
              setLines={(next) => setDraft((draft) => ({ ...draft, lines: countedNow(draft.lines, next(draft.lines)) }))}
              lineOf={({ current_stock }) => ({ stock: current_stock ?? 0 })}
              more={{ header: t('In stock'), cell: ({ stock }) => <Text size="sm">{numberText(stock)}</Text> }}
            />
            <TextField label={t('Notes')} value={notes} onText={(text) => setDraft((draft) => ({ ...draft, notes: text }))} />
          </SentFields>
          {isLost ? (
            <>
              <Text size="sm">
                {t('If minutes have passed, look at what is stored, and say if it is not there: asked again, sales since then are undone.')}
              </Text>
              <AskAgain onLook={() => void navigate('/stock')} onMissing={count.reset} onAsk={submit} />
            </>
          ) : (
            <Group justify="flex-end">
              <Button variant="default" disabled={lines.length === 0 || count.isPending} onClick={clear}>
                {t('Clear')}
              </Button>
              <Button
                onClick={submit}
                loading={count.isPending || looksUp}
                disabled={lines.length === 0 || lines.some(({ quantity }) => typeof quantity !== 'number')}
              >
                {t('Record the count')}
              </Button>
            </Group>
          )}
        </Stack>
      </Section>
    </Page>
  );
}
