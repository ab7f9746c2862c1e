/** The register: search or scan, park, take payment. Prices, tax and totals are the API's. */
import { Button, Grid, Group, Kbd, Stack, Text, TextInput } from '@mantine/core';
import { useHotkeys } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useReducer, useRef, useState } from 'react';
import type { Schemas } from '../api/gen/api.js';
import { useWrite } from '../api/query.ts';
import { useStore } from '../api/store.ts';
import { Amount } from '../parts/amount.tsx';
import { shownMoney } from '../parts/money.ts';
import { Page, Section } from '../parts/page.tsx';
import { ProductSearch } from '../parts/product-search.tsx';
import { cartAfter, emptyCart, saleOf, subtotalOf } from './cart.ts';
import { CartLines } from './cart-lines.tsx';
import { CustomerSearch } from './customer-search.tsx';
import { ParkedSales } from './parked-sales.tsx';
import { TakePayment } from './take-payment.tsx';

type Sale = Schemas['Sale'];

export default function Register() {
  const [cart, change] = useReducer(cartAfter, emptyCart);
  const [due, setDue] = useState<Sale>();
  const search = useRef<HTMLInputElement>(null);
  const { currency, has } = useStore();
  // The API prices the lines: a sale is parked first, and its total is what is to pay.
  const park = useWrite('createSale', { changes: ['listSales'] });
  const rewrite = useWrite('updateSale', { changes: ['listSales'] });
  const write = async (): Promise<Sale> => {
    const sale = { ...saleOf(cart), status: 'pending' as const };
    const answer = cart.saleId
      ? await rewrite.mutateAsync({ params: { id: cart.saleId }, body: { sale } })
      : await park.mutateAsync({ body: { sale } });
    return answer.sale!;
  };
  const begin = () => {
    change({ kind: 'clear' });
    setDue(undefined);
    search.current?.focus();
  };
  const parkIt = async () => {
    const { receipt_number } = await write();
    notifications.show({ message: `Parked as ${receipt_number}`, color: 'green' });
    begin();
  };
  const pay = async () => {
    const sale = await write();
    change({ kind: 'resume', sale });
    setDue(sale);
  };
  const completed = (sale: Sale) => {
    notifications.show({ title: `Sale ${sale.receipt_number}`, message: `${shownMoney(sale.total, currency)} taken`, color: 'green' });
    begin();
  };
  const busy = park.isPending || rewrite.isPending;
  const isEmpty = cart.lines.length === 0;
  const takePayment = () => {
    if (!isEmpty && !busy && !due) void pay().catch(() => undefined);
  };
  const parkSale = () => {
    if (!isEmpty && !busy && !due) void parkIt().catch(() => undefined);
  };
  // They work from within the search field too, where a scanner leaves the cursor.
  useHotkeys(
    [
      ['mod+Enter', takePayment],
      ['F4', takePayment],
      ['F8', parkSale],
    ],
    [],
  );
  return (
    <Page title="Register" about={cart.saleId ? `Continuing parked sale ${cart.saleId}` : undefined}>
      <Grid gap="md">
        <Grid.Col span={{ base: 12, md: 8 }}>
          <Section>
            <Stack>
              <ProductSearch label="Add a product" inputRef={search} autoFocus onFound={(product) => change({ kind: 'add', product })} />
              <CartLines lines={cart.lines} change={change} />
            </Stack>
          </Section>
        </Grid.Col>
        <Grid.Col span={{ base: 12, md: 4 }}>
          <Stack>
            <Section title="This sale">
              <Stack gap="sm">
                {has.customers && (
                  <CustomerSearch customer={cart.customer} onChange={(customer) => change({ kind: 'customer', customer })} />
                )}
                <TextInput
                  label="Discount on the sale"
                  inputMode="decimal"
                  placeholder="0.00"
                  leftSection={<Text size="sm">{currency}</Text>}
                  value={cart.discount}
                  onChange={(event) => change({ kind: 'discount', amount: event.currentTarget.value })}
                />
                <Group justify="space-between">
                  <Text fw={600}>Subtotal</Text>
                  <Text fw={700} fz="xl" component="div">
                    <Amount of={subtotalOf(cart)} />
                  </Text>
                </Group>
                <Button
                  size="md"
                  loading={busy}
                  disabled={isEmpty}
                  onClick={takePayment}
                  rightSection={
                    <Kbd size="xs" aria-hidden>
                      F4
                    </Kbd>
                  }
                >
                  Take payment
                </Button>
                <Group grow>
                  <Button
                    variant="default"
                    disabled={isEmpty || busy}
                    onClick={parkSale}
                    rightSection={
                      <Kbd size="xs" aria-hidden>
                        F8
                      </Kbd>
                    }
                  >
                    Park
                  </Button>
                  <Button variant="default" disabled={isEmpty || busy} onClick={begin}>
                    Clear
                  </Button>
                </Group>
              </Stack>
            </Section>
            <ParkedSales onResume={(sale) => change({ kind: 'resume', sale })} />
          </Stack>
        </Grid.Col>
      </Grid>
      {due && <TakePayment sale={due} onClose={() => setDue(undefined)} onCompleted={completed} />}
    </Page>
  );
}
