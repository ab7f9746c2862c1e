/** The register: search or scan, park, take payment. Prices, tax and totals are the API's. */
import { Grid, Stack } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef, useState } from 'react';
import { useStore } from '../api/store.ts';
import { CustomerSearch } from '../parts/customer-search.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProductSearch } from '../parts/product-search.tsx';
import { type CartLine, emptyCart, saleOf } from './cart.ts';
import { CartLines } from './cart-lines.tsx';
import { ParkedSales } from './parked-sales.tsx';
import { scanFrom } from './scan-queue.ts';
import { listenToScanner } from './scanner.ts';
import { TakePayment } from './take-payment.tsx';
import { isSignedOut, type Sale } from './till.ts';
import { TillNotices } from './till-notices.tsx';
import { Totals } from './totals.tsx';
import { undoable } from './undoable.tsx';
import { useTill } from './use-till.ts';

export default function Register() {
  const { till, setTill, change, scan, scans, price, due, begin, sending, attempts, giveUp, refused } = useTill();
  const [toPay, setToPay] = useState<Sale>();
  const search = useRef<HTMLInputElement>(null);
  const { has } = useStore();
  const { cart } = till;
  const isEmpty = cart.lines.length === 0;
  const isLocked = sending !== undefined || toPay !== undefined;
  const saleId = cart.parked?.id;

  useEffect(() => search.current?.focus(), []);
  const enter = (text: string) => {
    const entered = scanFrom(text);
    if (!entered) return;
    if (isLocked) setTill((now) => ({ ...now, unknown: [...now.unknown, `${entered.code} (scanned while a payment was open)`] }));
    else scan(entered);
  };
  const heard = useRef(enter);
  heard.current = enter;
  useEffect(() => listenToScanner((code) => heard.current(code)), []);

  const replaceWith = (next: () => void, what: string) => {
    const before = cart;
    next();
    if (before.lines.length > 0) undoable(what, () => change({ kind: 'replace', cart: before }));
    search.current?.focus();
  };
  const quantity = (line: CartLine, wanted: number) => {
    if (wanted === 0) replaceWith(() => change({ kind: 'remove', productId: line.productId }), `${line.name} was removed`);
    else change({ kind: 'quantity', productId: line.productId, quantity: wanted });
  };
  const clear = () => replaceWith(() => setTill((now) => ({ ...now, cart: emptyCart, unknown: [] })), 'The sale was cleared');
  const takePayment = () => {
    if (isEmpty && scans.waiting === 0) return;
    if (isLocked) return;
    due()
      .then(setToPay)
      .catch((error: Error) => isSignedOut(error) || notifications.show({ message: error.message, color: 'red' }));
  };
  const park = () => !isEmpty && !isLocked && begin({ kind: 'park', saleId, sale: { ...saleOf(cart), status: 'pending' } });
  const toSearch = (event: KeyboardEvent) => {
    if (document.activeElement === search.current) return;
    event.preventDefault();
    search.current?.focus();
  };
  const last = cart.lines.at(-1);
  const ofSearch = () => document.activeElement === search.current && search.current?.value === '';
  // They work from within the search field too, where a scanner leaves the cursor.
  useHotkeys(
    [
      ['mod+Enter', takePayment],
      ['F4', takePayment],
      ['F8', () => void park()],
      ['/', toSearch],
      ['Delete', () => ofSearch() && last && quantity(last, 0)],
    ],
    [],
  );

  return (
    <Page title="Register" about={cart.parked ? `Continuing parked sale ${cart.parked.receipt}` : undefined}>
      <TillNotices
        unknown={till.unknown}
        onSeen={(code) => setTill((now) => ({ ...now, unknown: now.unknown.filter((one) => one !== code) }))}
        scans={scans}
        sending={sending}
        attempts={attempts}
        onGiveUp={giveUp}
        refused={refused}
      />
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Section>
            <Stack>
              <ProductSearch
                label="Add a product"
                inputRef={search}
                autoFocus
                onFound={(product) => change({ kind: 'add', product, quantity: 1 })}
                onCode={enter}
              />
              <CartLines lines={cart.lines} onQuantity={quantity} />
            </Stack>
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack className="pay-column">
            <Section title="This sale">
              <Stack gap="sm">
                {has.customers && (
                  <CustomerSearch customer={cart.customer} onChange={(customer) => change({ kind: 'customer', customer })} />
                )}
                <Totals
                  cart={cart}
                  price={price}
                  ended={till.ended}
                  busy={sending !== undefined}
                  onDiscount={(amount) => change({ kind: 'discount', amount })}
                  onPay={takePayment}
                  onPark={() => void park()}
                  onClear={clear}
                />
              </Stack>
            </Section>
            <ParkedSales
              disabled={isLocked}
              onResume={(sale) => replaceWith(() => change({ kind: 'resume', sale }), 'The sale before was put away')}
              onDiscard={({ id }) => {
                if (id === saleId) setTill((now) => ({ ...now, cart: emptyCart }));
                begin({ kind: 'discard', saleId: id, sale: { status: 'voided', void_reason: 'Discarded at the register' } });
              }}
            />
          </Stack>
        </Grid.Col>
      </Grid>
      {toPay && (
        <TakePayment
          sale={toPay}
          onClose={() => setToPay(undefined)}
          onPaid={(payments, changeDue) => {
            setToPay(undefined);
            begin({ kind: 'pay', saleId, sale: { ...saleOf(cart), status: 'completed', payments }, change: changeDue });
            search.current?.focus();
          }}
        />
      )}
    </Page>
  );
}
