/** The short run of `npm run fuzz`, with a fixed seed; skipped without Python, which is a failure in CI. */
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import { migratedDatabase } from '../../tools/dev/migrated-database.ts';
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
  let drop: () => Promise<void>;

  beforeAll(async () => {
    const { url, close } = await migratedDatabase();
    drop = close;
    product = await startProduct(url);
  }, limitMs);
  afterAll(async () => {
    await product?.close();
    await drop?.();
  });

  async function found(as: 'keys' | 'staff'): Promise<string> {
    const python = schemathesisPython(() => undefined);
    if ('skipped' in python) throw new Error(python.skipped);
    let output = '';
    const onText = (text: string) => {
      output += text;
    };
    return (await fuzz({ python: python.python, product, as, examples: 4, seed, maxSeconds, onText })) ? '' : output;
  }

  test(
    'no server error, undocumented status or broken schema, to keys (P28)',
    async () => {
      expect(await found('keys')).toBe('');
    },
    limitMs,
  );

  test(
    'no server error, undocumented status or broken schema, to staff',
    async () => {
      expect(await found('staff')).toBe('');
    },
    limitMs,
  );
});
