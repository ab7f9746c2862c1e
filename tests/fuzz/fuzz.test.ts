/** The short run of `npm run fuzz`, with a fixed seed; skipped without Python, which is a failure in CI. */
import { describe, expect, test } from '@jest/globals';
import { migratedDatabase } from '../../tools/dev/migrated-database.ts';
import { openBeforeAll } from '../kit/use.ts';
import { type Product, startProduct } from './product.ts';
import { schemathesisPython } from './python.ts';
import { fuzz } from './run.ts';

const seed = 20_261_121;
const maxSeconds = 22;
const limitMs = 180_000;

const skipped = process.env.TEST_PYTHON_SKIPPED;
const describeWithPython = skipped ? describe.skip : describe;

describeWithPython(`random requests made from the OpenAPI documents${skipped ? ` (${skipped})` : ''}`, () => {
  let product: Product;
  openBeforeAll(async (opened) => {
    const { url } = await opened(migratedDatabase());
    product = await opened(startProduct(url));
  });

  test.each(['keys', 'staff'] as const)(
    'no server error, undocumented status or broken schema, to %s (P28)',
    async (as) => {
      const python = schemathesisPython(() => undefined);
      if ('skipped' in python) throw new Error(python.skipped);
      let output = '';
      const onText = (text: string) => {
        output += text;
      };
      const isSound = await fuzz({ python: python.python, product, as, examples: 4, seed, maxSeconds, onText });
      expect(isSound ? '' : output).toBe('');
    },
    limitMs,
  );
});
