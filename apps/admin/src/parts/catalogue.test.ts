import { beforeEach, expect, jest, test } from '@jest/globals';

// What the client reads of a browser when it is loaded.
Object.assign(globalThis, { window: new EventTarget(), localStorage: { getItem: () => null } });
const { catalogue } = await import('./catalogue.ts');

const beginning = '1970-01-01T00:00:00Z';
const lamp = { id: 7, name: 'Lamp', sku: '21448', additional_barcode_codes: [], has_variations: false, updated_at: '2026-11-20T12:00:00Z' };
let active = true;
const sent = jest.spyOn(globalThis, 'fetch');

beforeEach(() => {
  active = true;
  catalogue.clear();
  sent.mockReset().mockImplementation(async () => {
    const text = JSON.stringify({ products: [{ ...lamp, active }] });
    return { ok: true, status: 200, headers: new Headers(), text: async () => text } as Response;
  });
});

const lastAsked = () => new URL(String(sent.mock.lastCall![0]), 'http://store.example').searchParams;

/** Since when a register reads what has changed as it opens: at once, as a product is kept. */
async function readsSince(): Promise<string | null> {
  const stop = catalogue.keepFresh();
  await new Promise((resolve) => setTimeout(resolve, 10));
  stop();
  return lastAsked().get('updated_since');
}

test('what one person has loaded is gone for the next: codes, and the time of changes', async () => {
  await catalogue.find('21448');
  expect(await readsSince()).toBe(beginning);
  // What was changed while it was read.
  const agoMs = Date.parse(lamp.updated_at) - Date.parse((await readsSince())!);
  expect(agoMs).toBeGreaterThanOrEqual(10_000);
  expect(agoMs).toBeLessThan(20_000);
  expect(await readsSince()).toBe(lamp.updated_at);
  // Of what was read before nothing is known by now.
  expect(catalogue.isOff(8)).toBe(false);
  const stop = catalogue.keepFresh();
  await new Promise((resolve) => setTimeout(resolve, 10));
  expect([7, 8].map((id) => catalogue.isOff(id))).toEqual([false, true]);
  stop();
  sent.mockClear();
  expect(await catalogue.find('21448')).toMatchObject([{ id: 7 }]);
  expect(sent).not.toHaveBeenCalled();
  catalogue.clear();
  await catalogue.find('21448');
  expect(sent).toHaveBeenCalledTimes(2);
  expect(await readsSince()).toBe(beginning);
});

test('an answer to the person before is not kept', async () => {
  const asked = catalogue.find('21448');
  catalogue.clear();
  await asked;
  sent.mockClear();
  await catalogue.find('21448');
  expect(sent).toHaveBeenCalledTimes(2);
});

test('what was switched off is forgotten, and is found with all=true alone', async () => {
  await catalogue.find('21448');
  await readsSince();
  active = false;
  await readsSince();
  expect(lastAsked().get('all')).toBe('true');
  sent.mockClear();
  await catalogue.find('21448');
  expect(sent).toHaveBeenCalledTimes(2);
  expect(lastAsked().get('all')).toBeNull();
  await catalogue.find('21448', { all: true });
  expect(lastAsked().get('all')).toBe('true');
});

test('what nobody could read anew for some minutes is asked for again', async () => {
  await catalogue.find('21448');
  const stop = catalogue.keepFresh();
  await new Promise((resolve) => setTimeout(resolve, 10));
  sent.mockClear();
  const clocks = [
    jest.spyOn(performance, 'now').mockReturnValue(performance.now() + 5_000),
    jest.spyOn(Date, 'now').mockReturnValue(Date.now() + 60_000),
  ];
  await catalogue.find('21448');
  expect(sent).not.toHaveBeenCalled();
  clocks[1]!.mockReturnValue(Date.now() + 3_600_000);
  await catalogue.find('21448');
  expect(sent).toHaveBeenCalledTimes(2);
  for (const clock of clocks) clock.mockRestore();
  stop();
});
