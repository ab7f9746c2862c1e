/** The examples of README and docs, as they stand, against the running product: every curl line, and the programs of the guides. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { promises as dns } from 'node:dns';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, jest, test } from '@jest/globals';
import { repository } from '../../tools/local/data-dir.ts';
import { useWorld } from '../kit/use.ts';
import { type CodeBlock, codeBlocks, program } from './code-blocks.ts';

const withinMs = 240_000;
const has = (command: string) => spawnSync(command, ['--version']).status === 0;

// The documents subscribe erp.example.com; here nothing listens there.
jest.spyOn(dns.Resolver.prototype, 'resolve4').mockImplementation((async () => ['127.0.0.1']) as unknown as dns.Resolver['resolve4']);
jest.spyOn(dns.Resolver.prototype, 'resolve6').mockImplementation((async () => []) as unknown as dns.Resolver['resolve6']);
const world = await useWorld({ WEBHOOK_ALLOW_CIDRS: '127.0.0.1' });
/** Ids and numbers that the documents name; the demo store has the same, apart from the subscription. */
for (const [table, id] of [
  ['catalog.products', 815],
  ['customers.customers', 42],
  ['webhooks.subscriptions', 5],
] as const) {
  await world.database.query(`alter table ${table} alter column id restart with ${id}`);
}
const key = await world.newKey(world.store);
await world.staff('POST', '/products', { product: { name: 'White Metal Lantern', sku: '71053', price: '3.39' } });
await world.staff('POST', '/products', { product: { name: 'Hand Warmer', sku: '22633', price: '1.85' } });
await world.staff('POST', '/products', { product: { name: 'Coat Hanger', sku: '84406B', price: '2.75' } });
await world.staff('POST', '/customers', { customer: { name: 'Maya Lee', email: 'maya@example.com' } });
await world.staff('POST', '/gift_cards', { gift_card: { amount: 20, card_number: 'DEMO-ACTIVE' } });
for (const email of ['admin@example.com', 'admin@demo.example'])
  await world.staff('POST', '/staff_users', { staff_user: { name: 'Ada', email, password: 'a long password', role: 'admin' } });
const webhook_subscription = { url: 'https://erp.example.com/first', events: ['product.updated'] };
const subscribed = await world.call('POST', '/webhook_subscriptions', { key, body: { webhook_subscription } });
expect([subscribed.status, subscribed.body.data.id]).toEqual([201, 5]);
mkdirSync(path.join(repository, '.cache'), { recursive: true });
// Inside the checkout, where the programs find @store/client.
const folder = mkdtempSync(path.join(repository, '.cache/examples-'));
writeFileSync(path.join(folder, 'price-list.json'), '{"products": [{"sku": "71053", "price": "3.49"}]}');
afterAll(async () => {
  if (folder) rmSync(folder, { recursive: true, force: true });
}, withinMs);

/** Examples that show a refusal. */
const refused = (code: string): boolean => code.includes('serach=');

const curls = codeBlocks().filter(({ language, code }) => language === 'sh' && /\bcurl\b|price-list\.json/.test(code));
const withCurl = [...new Set(curls.map(({ document }) => document))];

describe(has('curl') ? 'curl lines' : 'curl lines (skipped: there is no curl)', () => {
  test('are in README, the guides and the rules', () => {
    expect(withCurl).toEqual(expect.arrayContaining(['README.md', 'docs/api.md', 'docs/webhooks.md', 'docs/guides/errors.md']));
    const others = codeBlocks().filter(({ language, code }) => language !== 'sh' && /^\s*curl /m.test(code));
    expect(others.map(({ document, code }) => `${document}: ${code}`)).toEqual([]);
  });

  (has('curl') ? test.each(withCurl) : test.skip.each(withCurl))(
    '%s: each is answered as the document says',
    async (document) => {
      for (const block of curls.filter((one) => one.document === document)) {
        const { status, statuses, output } = await run(block);
        const shown = `${document}\n${block.code}${output}`;
        expect([shown, status]).toEqual([shown, 0]);
        const kinds = statuses.map((answered) => (answered >= 200 && answered < 300 ? 'done' : answered));
        expect([shown, kinds]).toEqual([shown, statuses.map(() => (refused(block.code) ? 422 : 'done'))]);
        expect(statuses.length).toBe(block.code.match(/\bcurl\b/g)?.length ?? 0);
      }
    },
    withinMs,
  );
});

/** Runs a block as it stands: the host leads to this product, and curl tells its status apart from what it prints. */
async function run({ code }: CodeBlock): Promise<{ status: number | null; statuses: number[]; output: string }> {
  const { hostname, port } = new URL(world.baseUrl);
  const script = `set -e
curl() { command curl --silent --show-error --connect-to "127.0.0.1:3000:${hostname}:${port}" --write-out '%{stderr}status=%{http_code}\\n' "$@"; }
npm() { :; }
${code}`;
  const child = spawn('bash', ['-c', script], { cwd: folder, env: { ...process.env, KEY: key } });
  let [output, notes] = ['', ''];
  child.stdout.on('data', (chunk) => {
    output += chunk;
  });
  child.stderr.on('data', (chunk) => {
    notes += chunk;
  });
  const [status] = (await once(child, 'close')) as [number | null];
  return { status, statuses: [...notes.matchAll(/^status=(\d+)$/gm)].map(([, text]) => Number(text)), output: `${output}\n${notes}` };
}

describe('programs of the guides', () => {
  test(
    'list products, and try and send a price list with the TypeScript client',
    async () => {
      expect(await finished(start('list-products.ts'))).toMatch(/^71053 3\.\d\d \d+\nnot found [\w-]+\n$/);
      expect(await finished(start('prices.ts'))).toBe('2 updated, 0 created\n');
    },
    withinMs,
  );

  const python = has('python3');
  (python ? test : test.skip)(
    `send a CSV file with the Python client${python ? '' : ' (skipped: no python3)'}`,
    async () => {
      expect(await finished(start('list_products.py'))).toMatch(/^71053 3\.\d\d \d+\nnot found [\w-]+\n$/);
      const example = codeBlocks().find(({ code }) => code.startsWith('cat > price-list.csv'))!;
      expect((await run(example)).status).toBe(0);
      expect(await finished(start('import_prices.py', 'price-list.csv'))).toBe(
        'line 4 (84406B): Price is not a number\n2 updated, 0 created, 1 left out\n',
      );
    },
    withinMs,
  );

  const exports = ['accounting-export.ts', ...(python ? ['accounting_export.py'] : [])];
  test(
    `export a day as a balanced journal as its report (${exports.join(', ')})`,
    async () => {
      const tax = { mode: 'split', gst_rate: '5', gst_name: 'GST', pst_rate: '9.975', pst_name: 'QST' };
      await world.staff('PATCH', '/settings', { settings: { tax } });
      const line = { product_id: 815, unit_price: '33.33' };
      const sell = async (sale: object): Promise<number> => (await world.create('/sales', { sale })).id;
      const yesterday = new Date(world.clock.now().getTime() - 86_400_000).toISOString();
      // 33.33 with 1.67 and 3.32 of tax is 38.32; three of them with 9.99 off are 90.00, 4.50 and 8.98.
      const older = await sell({ line_items: [{ ...line, quantity: 1 }], payment_method: 'debit', completed_at: yesterday });
      const payments = [
        { method: 'gift_card', amount: '10.00', card_number: 'DEMO-ACTIVE' },
        { method: 'cash', amount: '50.00' },
        { method: 'credit', amount: '43.48' },
      ];
      await sell({ line_items: [{ ...line, quantity: 3 }], discount_amount: '9.99', payments });
      const gone = await sell({ line_items: [{ ...line, quantity: 2 }], payment_method: 'cash' });
      await sell({ status: 'pending', line_items: [{ ...line, quantity: 5 }] });
      await sell({ line_items: [{ ...line, quantity: 1 }], payment_method: 'green_echeck', green_echeck_surcharge: '1.50' });
      for (const id of [gone, older]) await world.staff('PATCH', `/sales/${id}`, { sale: { status: 'voided' } });
      const date = world.clock.now().toISOString().slice(0, 10);
      const rows = [
        ['discounts', '9.99,'],
        ['sales', ',99.99'],
        ['surcharges', ',1.50'],
        ['surcharges received', '1.50,'],
        ['tax GST 5.00', ',4.50'],
        ['tax QST 9.975', ',8.98'],
        ['tender cash', '50.00,'],
        ['tender credit', '43.48,'],
        ['tender debit', ',38.32'],
        ['tender gift_card', '10.00,'],
        ['tender green_echeck', '38.32,'],
        ['balanced', '153.29,153.29'],
      ];
      const expected = `account,debit,credit\n${rows.map(([account, sides]) => `${account},${sides}\n`).join('')}`;
      for (const file of exports) expect(await finished(start(file, date))).toBe(expected);
    },
    withinMs,
  );

  const languages = ['sync.ts', ...(has('python3') ? ['sync.py'] : [])];
  test(
    `copy the catalogue and follow what changes (${languages.join(', ')})`,
    async () => {
      await world.settled();
      const programs = languages.map((file) => start(file));
      for (const { printed } of programs) await printed(/^copied \d+ products, following from event \d+$/m);
      const created = await world.call('POST', '/products', { key, body: { product: { name: 'Followed lantern' } } });
      for (const { printed } of programs) await printed(new RegExp(`^\\d+ product\\.created ${created.body.data.id}$`, 'm'));
      for (const { child } of programs) {
        child.kill('SIGKILL');
        await once(child, 'exit');
      }
    },
    withinMs,
  );

  test('make a signature check that accepts the signed body alone', async () => {
    writeFileSync(path.join(folder, 'verify.ts'), program('verify.ts'));
    const { isSigned } = (await import(path.join(folder, 'verify.ts'))) as {
      isSigned(body: Buffer, signature: string, secret: string): boolean;
    };
    const body = Buffer.from(
      '{"id":"7b0c6b0e-8f3e-4a4e-9d43-3f1f3a7f6c01","event":"product.deleted","resource_type":"Product","resource_id":7,"created_at":"2026-11-21T00:00:00.000Z","data":{"id":7}}',
    );
    // The delivery that docs/webhooks.md shows, with its secret.
    const signature = 'sha256=dd1d8ceb8d7b63f77e3a731820630f5241076d959316c875f8b6e81f2fd47b12';
    const secret = 'whsec_c3RvcmUtd2ViaG9va3MtdGVzdC12ZWN0b3Ita2V5LTAx';
    expect([isSigned(body, signature, secret), isSigned(body, signature, `${secret}x`), isSigned(body, 'sha256=0', secret)]).toEqual([
      true,
      false,
      false,
    ]);
  });
});

interface Program {
  child: ChildProcess;
  output(): string;
  /** Resolves once the program has printed it; rejects when the program ends before. */
  printed(expected: RegExp): Promise<void>;
}

function start(file: string, ...args: string[]): Program {
  const at = path.join(folder, file);
  writeFileSync(at, program(file));
  const command = file.endsWith('.py') ? ['python3', at, ...args] : [process.execPath, '--no-warnings', at, ...args];
  const env = { ...process.env, STORE_URL: world.baseUrl, STORE_KEY: key, PYTHONPATH: path.join(repository, 'libs/client-python') };
  const child = spawn(command[0]!, command.slice(1), { cwd: folder, env });
  let text = '';
  const looks = new Set<() => void>();
  const take = (chunk: Buffer) => {
    text += chunk.toString();
    for (const look of looks) look();
  };
  child.stdout.on('data', take);
  child.stderr.on('data', take);
  const printed = (expected: RegExp) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (expected.test(text)) resolve();
      };
      looks.add(look);
      child.once('exit', () => (expected.test(text) ? resolve() : reject(new Error(`${file} ended: ${text}`))));
      look();
    });
  return { child, output: () => text, printed };
}

async function finished({ child, output }: Program): Promise<string> {
  const [status] = (await once(child, 'close')) as [number | null];
  expect([status, output()]).toEqual([0, output()]);
  return output();
}
