/** What is to pay, in the largest type of the page; after a sale its change, until the next one begins. */

import { Button, Group, Kbd, Stack, Text } from '@mantine/core';
import { useEffect, useState } from 'react';
import { useRead } from '../api/query.ts';
import { useStore } from '../api/store.ts';
import { t } from '../language/t.ts';
import { Amount } from '../parts/amount.tsx';
import { fieldText } from '../parts/money.ts';
import { MoneyField } from '../parts/money-field.tsx';
import { PrintReceipt } from '../sales/receipt.tsx';
import { type Cart, isUnused } from './cart.ts';
import type { Ended, Sale } from './till.ts';

/** Millions fit into the narrowest screen. */
const size = 'clamp(24px, 9vw, 40px)';
/** Where this tab keeps which sale it printed last: a reload prints nothing again. */
const lastPrinted = 'store-admin-printed';

interface TotalsProps {
  cart: Cart;
  price: { sale: Sale | undefined; fault: string | undefined; isOld: boolean };
  ended: Ended | undefined;
  busy: boolean;
  onDiscount: (amount: string) => void;
  onPay: () => void;
  onPark: () => void;
  onClear: () => void;
}

export function Totals({ cart, price, ended, busy, onDiscount, onPay, onPark, onClear }: TotalsProps) {
  const { currency } = useStore();
  const isEmpty = cart.lines.length === 0;
  const [printing, print] = usePrinting(ended);
  const shortcut = (key: string) => (
    <Kbd size="xs" aria-hidden visibleFrom="lg">
      {key}
    </Kbd>
  );
  return (
    <>
      <MoneyField
        label={t('Discount on the sale')}
        placeholder={fieldText('0.00')}
        leftSection={<Text size="sm">{currency}</Text>}
        value={cart.discount}
        onText={onDiscount}
      />
      {printing && (
        <PrintReceipt
          key={printing.saleId}
          saleId={printing.saleId}
          change={printing.change}
          onPrinted={() => sessionStorage.setItem(lastPrinted, String(printing.saleId))}
          onDone={() => print(undefined)}
        />
      )}
      {isEmpty && ended ? <LastSale of={ended} onPrint={() => print(ended)} /> : <ToPay of={isEmpty ? undefined : price} />}
      <Button size="lg" loading={busy} disabled={isEmpty} onClick={onPay} rightSection={shortcut('F4')}>
        {t('Take payment')}
      </Button>
      <Group grow>
        <Button variant="default" size="md" px="xs" disabled={isEmpty || busy} onClick={onPark} rightSection={shortcut('F8')}>
          {t('Park|a sale')}
        </Button>
        <Button variant="default" size="md" px="xs" disabled={isUnused(cart) || busy} onClick={onClear}>
          {t('Clear|a sale')}
        </Button>
      </Group>
    </>
  );
}

function ToPay({ of: price }: { of: TotalsProps['price'] | undefined }) {
  const { sale, fault, isOld } = price ?? {};
  return (
    <Stack gap={2} aria-live="polite">
      <Group justify="space-between" align="baseline" wrap="nowrap">
        <Text fw={600}>{t('To pay')}</Text>
        <Text
          fw={700}
          fz={size}
          lh={1.1}
          component="div"
          role="status"
          aria-label={t('To pay')}
          aria-busy={isOld}
          opacity={isOld ? 0.5 : 1}
        >
          <Amount of={price ? sale?.total : '0.00'} />
        </Text>
      </Group>
      {sale && (
        <Text size="sm" c="dimmed" component="div" ta="right">
          <Amount of={sale.subtotal} />{' '}
          {Number(sale.discount_amount) > 0 && (
            <>
              − <Amount of={sale.discount_amount} /> {t('discount')}{' '}
            </>
          )}
          + <Amount of={sale.tax_amount} /> {t('tax')}
        </Text>
      )}
      {fault && (
        <Text size="sm" c="red" role="alert">
          {fault}
        </Text>
      )}
    </Stack>
  );
}

/** A till that prints receipts prints each once, the next sale may have begun; the button prints it again. */
function usePrinting(ended: Ended | undefined) {
  const prints = useRead('getSettings', {}).data?.settings?.receipt_printer?.enabled === true;
  const [printing, print] = useState<Ended>();
  useEffect(() => {
    if (ended?.kind !== 'pay' || !prints || sessionStorage.getItem(lastPrinted) === String(ended.saleId)) return;
    print(ended);
  }, [ended, prints]);
  return [printing, print] as const;
}

function LastSale({ of: { kind, receipt, total, change }, onPrint }: { of: Ended; onPrint: () => void }) {
  if (kind === 'discard') return <Text>{t('{receipt} was discarded', { receipt })}</Text>;
  if (kind === 'park') return <Text>{t('Parked as {receipt}', { receipt })}</Text>;
  return (
    <Stack gap={2} role="status">
      <Text>{t('Sale {receipt}', { receipt })}</Text>
      <Group justify="space-between" align="baseline" wrap="nowrap">
        <Text fw={600}>{t('Change|money back')}</Text>
        <Text fw={700} fz={size} lh={1.1} component="div">
          <Amount of={change} />
        </Text>
      </Group>
      <Text size="sm" c="dimmed" component="div" ta="right">
        <Amount of={total} /> {t('taken')}
      </Text>
      <Button variant="default" onClick={onPrint}>
        {t('Print the receipt')}
      </Button>
    </Stack>
  );
}
