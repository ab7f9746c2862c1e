/** Goods without a code, each one touch away. This till keeps which ones; a line of the cart is kept with its star. */

import { Button, Group, Text } from '@mantine/core';
import { useLocalStorage } from '@mantine/hooks';
import { notifications } from '@mantine/notifications';
import { useEffect, useRef } from 'react';
import { t } from '../language/t.ts';
import { catalogue } from '../parts/catalogue.ts';
import type { CartLine, Sold } from './cart.ts';

/** What a button shows and puts into the cart; the API prices it anew. */
export type Favourite = Pick<CartLine, 'productId' | 'name' | 'unitPrice' | 'weighed'>;

const favouritesMax = 24;
/** A second tap comes within this time, and so near. */
const secondMs = 500;
const nearPx = 24;

export function useFavourites() {
  const [favourites, setFavourites] = useLocalStorage<Favourite[]>({ key: 'store-admin-favourites', defaultValue: [] });
  return {
    favourites,
    has: (productId: number) => favourites.some((one) => one.productId === productId),
    toggle: ({ productId, name, unitPrice, weighed }: Favourite) => {
      const others = favourites.filter((one) => one.productId !== productId);
      if (others.length < favourites.length) return setFavourites(others);
      if (others.length < favouritesMax) return setFavourites([...others, { productId, name, unitPrice, weighed }]);
      const message = t('There are {count} favourites already: take the star off another', { count: favouritesMax });
      notifications.show({ message, color: 'yellow', autoClose: 8_000 });
    },
  };
}

interface FavouritesProps {
  of: Favourite[];
  onTake: (product: Sold) => void;
  /** Of one that is not sold any more. */
  onGone: (favourite: Favourite) => void;
}

export function Favourites({ of, onTake, onGone }: FavouritesProps) {
  const group = useRef<HTMLDivElement>(null);
  /** The last tap was the second of a double tap on what stood here before, such as a found product or what completes a sale. */
  const isSecond = useRef(false);
  useEffect(() => {
    let last: PointerEvent | undefined;
    const note = (event: PointerEvent) => {
      const { target, timeStamp = -Infinity, clientX = 0, clientY = 0 } = last ?? {};
      const isSoon = event.timeStamp - timeStamp < secondMs && Math.hypot(event.clientX - clientX, event.clientY - clientY) < nearPx;
      isSecond.current = isSoon && !group.current?.contains(target as Node);
      last = event;
    };
    window.addEventListener('pointerdown', note, { capture: true });
    return () => window.removeEventListener('pointerdown', note, { capture: true });
  }, []);
  const take = (one: Favourite) => {
    const { productId: id, name, unitPrice: effective_price, weighed } = one;
    if (!catalogue.isOff(id)) return onTake({ id, name, effective_price, unit_type: weighed ? 'gram' : 'unit' });
    const message = t('{name} is not for sale any more, and no favourite', { name });
    notifications.show({ message, color: 'yellow', autoClose: false });
    onGone(one);
  };
  if (of.length === 0) return null;
  return (
    <Group gap="xs" role="group" aria-label={t('Favourites')} ref={group}>
      {of.map((one) => (
        <Button
          key={one.productId}
          className="long-name"
          variant="default"
          maw={160}
          onClick={({ detail }) => (detail > 0 && isSecond.current) || take(one)}
        >
          <Text size="sm" lineClamp={2} style={{ whiteSpace: 'normal' }}>
            {one.name}
          </Text>
        </Button>
      ))}
    </Group>
  );
}
