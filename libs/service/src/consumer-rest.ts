/** How long a service's consumer rests between small batches, where it does not say so itself. */
import type { Consumer } from '@store/events';

const lingerMs = 100;
/** Where the last batch changed nothing, nobody waits for the next one either: most changes of stock have reached catalog before. */
const unconcernedMs = 250;

export interface Rest {
  lingerMs(): number;
  took: NonNullable<Consumer['took']>;
}

/** `took` is told of each batch, `lingerMs` asked after it. */
export function consumerRest(): Rest {
  let concerned = true;
  return {
    lingerMs: () => (concerned ? lingerMs : unconcernedMs),
    took: (messages) => {
      concerned = messages > 0;
    },
  };
}
