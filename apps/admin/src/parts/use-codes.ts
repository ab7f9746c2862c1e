/** Codes that are looked up, and whether some still are. */

import { notifications } from '@mantine/notifications';
import { useRef } from 'react';
import { underWay, useUnderWay } from '../api/under-way.ts';
import { t } from '../language/t.ts';
import { catalogue, type Product } from './catalogue.ts';
import { betweenScans, takeOutLead } from './scanner.ts';

/** Pieces of one product are scanned in a row; its stock, its cost and whose code it is change otherwise. */
const freshMs = 2_000;

const lookUps = 'look-ups';

/** Whether a code is looked up now: what is sent meanwhile would lack it. */
export const useLooksUp = (): boolean => useUnderWay(lookUps);

/** Looks codes up one after the other, in the order in which they came, of inactive products too. `mayBeName`: it was typed. */
export function useCodes(onFound: (product: Product) => void): (code: string, whole?: string, mayBeName?: boolean) => void {
  const last = useRef(Promise.resolve());
  const latest = useRef(onFound);
  latest.current = onFound;
  const look = async (code: string, whole: string | undefined, mayBeName: boolean) => {
    try {
      const found = await catalogue.findScanned(code, { whole, freshMs, mayBeName, all: true });
      await betweenScans();
      const [product, ...others] = found.products;
      if (product && others.length === 0) return latest.current(product);
      const message = product
        ? t('Several products have the code {code}', { code: found.code })
        : t('No product has the code {code}', { code: (takeOutLead(whole) && whole) || code });
      notifications.show({ message, color: 'yellow', autoClose: false });
    } catch (error) {
      notifications.show({
        title: t('The search failed'),
        message: `${code}: ${(error as Error).message}`,
        color: 'red',
        autoClose: false,
      });
    }
  };
  return (code, whole, mayBeName = false) => {
    last.current = underWay(
      lookUps,
      last.current.then(() => look(code, whole, mayBeName)),
    );
  };
}
