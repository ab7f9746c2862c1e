/** The register: search or scan, park, take payment. Prices, tax and totals are the API's. */

import { Button, Grid, Group, Kbd, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef, useState } from 'react';
import { newIdempotencyKey } from '../api/idempotency-key.ts';
import { useStore } from '../api/store.ts';
import { CustomerForm } from '../customers/customer-form.tsx';
import { t } from '../language/t.ts';
import { Amount } from '../parts/amount.tsx';
import { CustomerSearch } from '../parts/customer-search.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProductSearch } from '../parts/product-search.tsx';
import { betweenScans, pauseMs } from '../parts/scanner.ts';
import { useUndos } from '../parts/undoable.tsx';
import { nameless } from '../parts/worded.ts';
import { type Cart, type CartAction, type CartLine, emptyCart, hasRewards } from './cart.ts';
import { CartLines } from './cart-lines.tsx';
import { DrawerSection } from './drawer.tsx';
import { Favourites, useFavourites } from './favourites.tsx';
import { KeysHelp } from './keys-help.tsx';
import { ParkedSales } from './parked-sales.tsx';
import { takenElsewhere } from './payments.ts';
import { takeQuantity } from './scan.ts';
import { TakePayment } from './take-payment.tsx';
import type { TillEvent } from './till.ts';
import { TillLoyalty } from './till-loyalty.tsx';
import { TillNotices } from './till-notices.tsx';
import { Totals } from './totals.tsx';
import { useClear } from './use-clear.tsx';
import { useContinued } from './use-continued.ts';
import { useTill } from './use-till.ts';
import { useTillKeys } from './use-till-keys.ts';

export default function Register() {
  const { till, tell, tillNow, enter, price, isCutOff, attempts, giveUp } = useTill();
  const search = useRef<HTMLInputElement>(null);
  const [showsKeys, setShowsKeys] = useState(false);
  const [newCustomer, setNewCustomer] = useState<{ name: string }>();
  const { has } = useStore();
  const favourites = useFavourites();
  const { cart, work } = till;
  const isEmpty = cart.lines.length === 0;
  const isBusy = work !== undefined && work.kind !== 'pay';
  const change = (action: CartAction) => tell({ kind: 'change', action });
  const id = newIdempotencyKey;

  useEffect(() => search.current?.focus(), []);
  useContinued(tell);
  const { offer, endOffers } = useUndos();
  // What is undone is of the sale that is here.
  // biome-ignore lint/correctness/useExhaustiveDependencies: once for each sale that goes.
  useEffect(() => {
    if (work?.kind === 'take' || (work?.kind === 'send' && work.sending.kind !== 'discard')) endOffers();
  }, [work?.kind, work?.id]);
  const quantity = (line: CartLine, wanted: number) => {
    if (wanted !== 0) return change({ kind: 'quantity', key: line.key, quantity: wanted });
    const { lines, customer, tenders, note } = tillNow().cart;
    if (!change({ kind: 'remove', key: line.key })) return;
    const at = lines.findIndex(({ key }) => key === line.key);
    const before = { ...emptyCart, lines: [line], customer, ...(tenders && { tenders }), ...(note && { note }) };
    const wasPaid = lines.length === 1 && takenElsewhere(tenders).length > 0;
    const { name } = line;
    const gone = wasPaid ? t('{name} was removed, with the payment that was refused', { name }) : t('{name} was removed', { name });
    offer(gone, () => change({ kind: 'restore', before, at }));
    search.current?.focus();
  };
  const setCustomer = (customer: Cart['customer']) => {
    const { cart: before } = tillNow();
    if (!change({ kind: 'customer', customer }) || customer || !hasRewards(before)) return;
    offer(t('{name} was removed, with what the points gave', { name: before.customer?.name }), () => change({ kind: 'regain', before }));
  };
  const { clear, question } = useClear({ tell, tillNow, offer, endOffers, search });
  /** A `3*` in the search is not of the next sale. */
  const endSale = (event: TillEvent) => {
    if (tell(event)) takeQuantity(search.current);
  };
  const takePayment = () => {
    // The dialog gives the focus back to where it was.
    search.current?.focus();
    endSale({ kind: 'pay', id: id() });
  };
  const park = () => endSale({ kind: 'park', id: id() });
  /** Of the newest line. */
  const newest = (then: (line: CartLine) => void) => {
    const [next] = tillNow().scans;
    if (next) return notifications.show({ message: t('Wait until {code} is found', { code: next.code }), color: 'yellow' });
    const line = tillNow().cart.lines.at(-1);
    if (line) then(line);
  };
  useTillKeys(
    {
      '/': () => search.current?.focus(),
      '+': () => newest(({ key }) => change({ kind: 'more', key })),
      '-': () => newest((line) => quantity(line, Math.max(line.quantity - 1, 0))),
      Escape: clear,
      Delete: () => newest((line) => quantity(line, 0)),
      '?': () => setShowsKeys(true),
    },
    search,
  );
  // They work from within the search field too, where a scanner leaves the cursor.
  const actions = useRef({ takePayment, park });
  actions.current = { takePayment, park };
  /** What is typed into another field counts first; the beginning of a code that is being scanned does not. */
  const afterFields = (name: keyof typeof actions.current) => () =>
    // A hand goes on typing at once: a stall is not waited for.
    void betweenScans(pauseMs).then(() => {
      if (document.querySelector('[role="dialog"]')) return;
      search.current?.focus();
      actions.current[name]();
    });
  useHotkeys(
    [
      ['mod+Enter', afterFields('takePayment')],
      ['F4', afterFields('takePayment')],
      ['F8', afterFields('park')],
    ],
    [],
  );

  return (
    <Page
      title={t('Register')}
      about={cart.parked ? t('Continuing parked sale {receipt}', { receipt: cart.parked.receipt }) : undefined}
      actions={
        <Button variant="subtle" visibleFrom="md" onClick={() => setShowsKeys(true)} rightSection={<Kbd size="xs">?</Kbd>}>
          {t('Keys|of the keyboard')}
        </Button>
      }
    >
      <TillNotices
        till={till}
        isCutOff={isCutOff}
        onChosen={(choice, product) => {
          tell({ kind: 'choose', choice, product });
          search.current?.focus();
        }}
        onSeen={(of, place) => {
          tell({ kind: 'seen', of, place });
          search.current?.focus();
        }}
        attempts={attempts}
        onGiveUp={giveUp}
        onGoOn={(isThere) => tell({ kind: 'goOn', isThere })}
        onStop={() => tell({ kind: 'stop' }) && search.current?.focus()}
        onRedeem={(owed) => tell({ kind: 'redeem', id: owed.id, reward: owed.reward })}
      />
      <Grid gap="md" className="register">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Section>
            <Stack>
              <ProductSearch
                label={t('Add a product')}
                inputRef={search}
                autoFocus
                onFound={(product) => change({ kind: 'add', product, quantity: 1 })}
                onCode={enter}
              />
              <Favourites
                of={favourites.favourites}
                onTake={(product) => change({ kind: 'add', product, quantity: takeQuantity(search.current) ?? 1 })}
                onGone={(one) => {
                  takeQuantity(search.current);
                  favourites.toggle(one);
                }}
              />
              <CartLines
                lines={cart.lines}
                price={price.isOld ? undefined : price.sale}
                onQuantity={quantity}
                isFavourite={favourites.has}
                onFavourite={favourites.toggle}
              />
            </Stack>
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack className="pay-column">
            <Section title={t('This sale')}>
              <Stack gap="sm">
                {has.customers && (
                  <CustomerSearch customer={cart.customer} onChange={setCustomer} onNew={(name) => setNewCustomer({ name })} />
                )}
                {has.loyalty && cart.customer && (
                  <TillLoyalty
                    customerId={cart.customer.id}
                    disabled={work !== undefined}
                    onRedeem={(reward) => tell({ kind: 'redeem', id: id(), reward })}
                  />
                )}
                <Totals
                  cart={cart}
                  price={price}
                  ended={till.ended}
                  busy={isBusy}
                  onDiscount={(amount) => change({ kind: 'discount', amount })}
                  onPay={takePayment}
                  onPark={park}
                  onClear={clear}
                />
              </Stack>
            </Section>
            <ParkedSales
              disabled={work !== undefined}
              ended={till.ended}
              continued={cart.parked}
              onNoted={(noted) => tell({ kind: 'noted', ...noted })}
              onResume={(sale) => endSale({ kind: 'resume', id: id(), saleId: sale.id })}
              onDiscard={(sale) => endSale({ kind: 'discard', id: id(), saleId: sale.id })}
            />
            <DrawerSection disabled={work !== undefined} />
          </Stack>
        </Grid.Col>
      </Grid>
      {!isEmpty && (
        <Group className="pay-bar" hiddenFrom="md" justify="space-between" wrap="nowrap">
          <Text fw={700} fz={20} component="div" opacity={price.isOld ? 0.5 : 1}>
            <Amount of={price.sale?.total} />
          </Text>
          <Button size="md" loading={isBusy} onClick={takePayment}>
            {t('Pay')}
          </Button>
        </Group>
      )}
      {newCustomer !== undefined && (
        <CustomerForm
          name={newCustomer.name}
          onClose={() => setNewCustomer(undefined)}
          onSaved={({ id, name }) => change({ kind: 'customer', customer: { id, name: name ?? nameless } })}
        />
      )}
      {question}
      {showsKeys && <KeysHelp onClose={() => setShowsKeys(false)} />}
      {work?.kind === 'pay' && (
        <TakePayment
          sale={work.sale}
          typed={cart.tenders}
          onTyped={(tenders) => void tell({ kind: 'typed', tenders })}
          onClose={() => tell({ kind: 'stop' })}
          onPaid={(payments, changeDue, tenders) => {
            tell({ kind: 'paid', id: id(), payments, change: changeDue, tenders });
            search.current?.focus();
          }}
        />
      )}
    </Page>
  );
}
