/** The store's own settings that the panel shows things by: currency, time zone, what the plan includes. */
import { createContext, useContext, useEffect, useMemo } from 'react';
import { followStore } from '../language/load.ts';
import type { Schemas } from './gen/api.js';
import { useRead } from './query.ts';

export interface StoreFacts {
  name: string;
  currency: string;
  timeZone: string;
  /** Until the settings are read, all of it may be otherwise. */
  isKnown: boolean;
  has: { customers: boolean; loyalty: boolean; locations: boolean; developerApi: boolean };
}

const fiveMinutes = 5 * 60_000;

/** Given once by the frame: each amount and time of a list shows itself by it. */
export const StoreContext = createContext(factsOf(undefined));

export function useStore(): StoreFacts {
  return useContext(StoreContext);
}

export function useStoreFacts(): StoreFacts {
  const { data } = useRead('getSettings', {}, { staleTime: fiveMinutes });
  const locale = data?.settings?.locale;
  useEffect(() => locale && followStore(locale), [locale]);
  return useMemo(() => factsOf(data?.settings), [data]);
}

function factsOf(settings: Schemas['Settings'] | undefined): StoreFacts {
  const { features } = settings ?? {};
  return {
    name: settings?.store?.name ?? '',
    currency: settings?.currency?.symbol ?? '',
    timeZone: settings?.timezone ?? 'UTC',
    isKnown: settings !== undefined,
    has: {
      customers: features?.customers ?? true,
      loyalty: features?.loyalty ?? true,
      locations: features?.stock_locations ?? false,
      developerApi: features?.developer_api ?? true,
    },
  };
}
