import type { Consumer, Message } from '@store/events';

const lingerMs = 100;
/** A longer delay after a batch on which no request depends: most changes of stock have reached catalog before. */
const unawaitedMs = 250;

export interface Pause {
  lingerMs(): number;
  took: NonNullable<Consumer['took']>;
}

/** `took` receives what a batch changed, and `lingerMs` is asked after it. */
export function consumerPause(isAwaited: (message: Message) => boolean = () => true): Pause {
  let awaited = true;
  return {
    lingerMs: () => (awaited ? lingerMs : unawaitedMs),
    took: (messages) => {
      awaited = messages.some(isAwaited);
    },
  };
}
