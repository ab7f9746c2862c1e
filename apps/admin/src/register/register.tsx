/** The register: search or scan, park, take payment. Prices, tax and totals are the API's. */

import { Button, Grid, Group, Kbd, Stack, Text } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef, useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useStore } from '../api/store.ts';
import { CustomerForm } from '../customers/customer-form.tsx';
import { t } from '../language/t.ts';
import { Amount } from '../parts/amount.tsx';
import { CustomerSearch } from '../parts/customer-search.tsx';
import { Page, Section } from '../parts/page.tsx';
import { ProductSearch } from '../parts/product-search.tsx';
import { useUndos } from '../parts/undoable.tsx';
import { nameless } from '../parts/worded.ts';
import { type CartLine, emptyCart, quantityMax, type Sold, saleOf } from './cart.ts';
import { CartLines } from './cart-lines.tsx';
import { DrawerSection } from './drawer.tsx';
import { Favourites, useFavourites } from './favourites.tsx';
import { giveReward } from './give-reward.ts';
import { KeysHelp } from './keys-help.tsx';
import { ParkedSales } from './parked-sales.tsx';
import { TakePayment } from './take-payment.tsx';
import { type Choice, isSignedOut, type Sale } from './till.ts';
import { TillLoyalty } from './till-loyalty.tsx';
import { TillNotices } from './till-notices.tsx';
import { Totals } from './totals.tsx';
import { useParking } from './use-parking.ts';
import { useScanning } from './use-scanning.ts';
import { useTill } from './use-till.ts';
import { useTillKeys } from './use-till-keys.ts';

export default function Register() {
  const { till, setTill, change, scan, scans, price, due, begin, discard, sending, attempts, giveUp, goOn, refused, setRefused } =
    useTill();
  const [toPay, setToPay] = useState<Sale>();
  const search = useRef<HTMLInputElement>(null);
  const [showsKeys, setShowsKeys] = useState(false);
  const [newCustomer, setNewCustomer] = useState<string>();
  const { has, name: storeName } = useStore();
  const favourites = useFavourites(storeName);
  const { cart } = till;
  const isEmpty = cart.lines.length === 0;
  const isLocked = sending !== undefined || toPay !== undefined;
  const saleId = cart.parked?.id;

  useEffect(() => search.current?.focus(), []);
  const enter = useScanning({ till, setTill, scan, isLocked });
  const { offer, endOffers } = useUndos();
  const quantity = (line: CartLine, wanted: number) => {
    if (wanted !== 0) return change({ kind: 'quantity', productId: line.productId, quantity: wanted });
    change({ kind: 'remove', productId: line.productId });
    const rewards = cart.rewards?.filter(({ productId }) => productId === line.productId) ?? [];
    const undo = () => {
      change({ kind: 'restore', before: { ...emptyCart, lines: [line] } });
      for (const reward of rewards) change({ kind: 'reward', reward });
    };
    offer(t('{name} was removed', { name: line.name }), undo);
    search.current?.focus();
  };
  /** A parked sale ends with it; what is brought back is a new one. */
  const clear = () => {
    if (isEmpty || isLocked) return;
    const { parked, ...before } = cart;
    endOffers();
    setTill((now) => ({ ...now, cart: emptyCart, unknown: [], choices: [], late: [] }));
    if (parked) void discard(parked.id);
    offer(t('The sale was cleared'), () => change({ kind: 'restore', before }));
    search.current?.focus();
  };
  const takePayment = () => {
    if (isEmpty && scans.waiting === 0) return;
    if (isLocked) return;
    endOffers();
    // The dialog gives the focus back to where it was.
    search.current?.focus();
    due()
      .then(setToPay)
      .catch((error: Error) => isSignedOut(error) || notifications.show({ message: error.message, color: 'red' }));
  };
  const { park, resume } = useParking({ till, change, begin, refused, setRefused, isLocked });
  const parkNow = () => {
    endOffers();
    park();
  };
  const last = cart.lines.at(-1);
  useTillKeys({
    '/': () => search.current?.focus(),
    '+': () => last && quantity(last, Math.min(last.quantity + 1, quantityMax)),
    '-': () => last && quantity(last, Math.max(last.quantity - 1, 0)),
    Escape: clear,
    Delete: () => last && quantity(last, 0),
    '?': () => setShowsKeys(true),
  });
  // They work from within the search field too, where a scanner leaves the cursor.
  const actions = useRef({ takePayment, parkNow });
  actions.current = { takePayment, parkNow };
  /** What is typed into another field counts first. */
  const afterFields = (name: keyof typeof actions.current) => () => {
    if (document.querySelector('[role="dialog"]')) return;
    search.current?.focus();
    setTimeout(() => actions.current[name]());
  };
  useHotkeys(
    [
      ['mod+Enter', afterFields('takePayment')],
      ['F4', afterFields('takePayment')],
      ['F8', afterFields('parkNow')],
    ],
    [],
  );
  const chosen = (choice: Choice, product?: Sold) => {
    setTill((now) => ({ ...now, choices: now.choices?.filter((one) => one !== choice) }));
    if (product) change({ kind: 'add', product, quantity: choice.quantity });
    search.current?.focus();
  };
  const redeemed = (reward: Schemas['LoyaltyReward']) =>
    (isEmpty ? Promise.resolve({ subtotal: '0' }) : due())
      .then(({ subtotal }) => giveReward(reward, cart, subtotal))
      .then((actions) => actions.forEach(change))
      .catch((error: Error) => notifications.show({ message: error.message, color: 'red' }));

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
        choices={till.choices ?? []}
        onChosen={chosen}
        unknown={till.unknown}
        late={till.late ?? []}
        onSeen={(code) => {
          const others = (codes: string[]) => codes.filter((one) => one !== code);
          setTill((now) => ({ ...now, unknown: others(now.unknown), late: others(now.late ?? []) }));
          search.current?.focus();
        }}
        scans={scans}
        sending={sending}
        attempts={attempts}
        onGiveUp={giveUp}
        onGoOn={goOn}
        refused={refused}
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
                onTake={({ productId: id, name, unitPrice: effective_price, weighed }) =>
                  change({ kind: 'add', product: { id, name, effective_price, unit_type: weighed ? 'gram' : 'unit' }, quantity: 1 })
                }
              />
              <CartLines lines={cart.lines} onQuantity={quantity} isFavourite={favourites.has} onFavourite={favourites.toggle} />
            </Stack>
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack className="pay-column">
            <Section title={t('This sale')}>
              <Stack gap="sm">
                {has.customers && (
                  <CustomerSearch
                    customer={cart.customer}
                    onChange={(customer) => change({ kind: 'customer', customer })}
                    onNew={setNewCustomer}
                  />
                )}
                {has.loyalty && cart.customer && (
                  <TillLoyalty customerId={cart.customer.id} onRedeemed={(reward) => void redeemed(reward)} />
                )}
                <Totals
                  cart={cart}
                  price={price}
                  ended={till.ended}
                  busy={sending !== undefined}
                  onDiscount={(amount) => change({ kind: 'discount', amount })}
                  onPay={takePayment}
                  onPark={parkNow}
                  onClear={clear}
                />
              </Stack>
            </Section>
            <ParkedSales
              disabled={isLocked}
              onResume={(sale) => {
                endOffers();
                resume(sale);
              }}
              onDiscard={({ id }) => {
                if (id === saleId) setTill((now) => ({ ...now, cart: emptyCart }));
                void discard(id);
              }}
            />
            <DrawerSection />
          </Stack>
        </Grid.Col>
      </Grid>
      {!isEmpty && (
        <Group className="pay-bar" hiddenFrom="md" justify="space-between" wrap="nowrap">
          <Text fw={700} fz={20} component="div">
            {price.sale || !price.error ? <Amount of={price.sale?.total ?? '0.00'} /> : '–'}
          </Text>
          <Button size="md" loading={sending !== undefined} onClick={takePayment}>
            {t('Pay')}
          </Button>
        </Group>
      )}
      {newCustomer !== undefined && (
        <CustomerForm
          name={newCustomer}
          onClose={() => setNewCustomer(undefined)}
          onSaved={({ id, name }) => change({ kind: 'customer', customer: { id, name: name ?? nameless } })}
        />
      )}
      {showsKeys && <KeysHelp onClose={() => setShowsKeys(false)} />}
      {toPay && (
        <TakePayment
          sale={toPay}
          onClose={() => setToPay(undefined)}
          onPaid={(payments, changeDue) => {
            setToPay(undefined);
            begin({
              kind: 'pay',
              saleId,
              version: cart.parked?.version,
              sale: { ...saleOf(cart), status: 'completed', payments },
              change: changeDue,
            });
            search.current?.focus();
          }}
        />
      )}
    </Page>
  );
}
