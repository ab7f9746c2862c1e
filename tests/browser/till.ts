/** What a clerk does at the register, by keyboard where a clerk would. */
import type { Locator, Page } from 'playwright-core';

/** Types a code as a scanner does, with Enter behind it, and waits until its line says so many. */
export async function scan(till: Page, code: string, name: string, quantity = 1): Promise<void> {
  await till.getByLabel('Add a product').focus();
  await till.keyboard.type(code);
  await till.keyboard.press('Enter');
  await holdsQuantity(till, name, quantity);
  // An Enter that a test presses next comes sooner than a hand's, and would be the scanner's line feed.
  await till.keyboard.press('End');
}

/** As a scanner types into what has the focus, a key each five milliseconds by the time of its event, however busy this machine is; `afterMs` from now. */
export function scanAnywhere(till: Page, code: string, afterMs = 0): Promise<void> {
  return typeFast(till, [...code, 'Enter'], `performance.now() + ${afterMs}`);
}

/** By a scanner that stalls behind its first key. */
export function scanStalled(till: Page, code: string, stallMs: number): Promise<void> {
  return typeFast(till, [...code, 'Enter'], 'performance.now()', stallMs);
}

/** A scan in the middle of which another hand presses a key. */
export function scanAroundKey(till: Page, begin: string, key: string, rest: string): Promise<void> {
  return typeFast(till, [...begin, key, ...rest, 'Enter']);
}

/** A scan in the middle of which something else happens; `pauseMs` between its parts, by the time of their events. */
export async function scanInParts(
  till: Page,
  begin: string,
  between: () => Promise<unknown>,
  rest: string,
  pauseMs: number,
): Promise<void> {
  await typeFast(till, [...begin]);
  await between();
  await typeFast(till, [...rest, 'Enter'], `globalThis.scannedAt + ${pauseMs}`);
}

/** A scan `pauseMs` behind what a hand typed, by a scanner that stalls behind its first key. */
export async function scanBehindHand(
  till: Page,
  typed: string,
  code: string,
  pauseMs: number,
  { stallMs, between }: { stallMs?: number; between?: () => Promise<unknown> } = {},
): Promise<void> {
  for (const key of typed) await typeFast(till, [key], '(globalThis.scannedAt ?? performance.now()) + 120');
  await between?.();
  await typeFast(till, [...code, 'Enter'], `globalThis.scannedAt + ${pauseMs}`, stallMs);
}

/** `scanAnywhere` with an end that does what it does in a browser. */
export async function scanWithEnter(till: Page, code: string, end: 'Enter' | 'Tab' = 'Enter'): Promise<void> {
  await typeFast(till, [...code]);
  await till.evaluate(`addEventListener('keydown', (enter) =>
    Object.defineProperty(enter, 'timeStamp', { value: globalThis.scannedAt + 5 }), { capture: true, once: true })`);
  await till.keyboard.press(end);
}

async function typeFast(till: Page, keys: string[], firstAt = 'performance.now()', stallMs = 5): Promise<void> {
  await till.evaluate(`for (const [n, key] of ${JSON.stringify(keys)}.entries()) {
    const typed = new KeyboardEvent('keydown', { key, bubbles: true, cancelable: true });
    globalThis.scannedAt = n === 0 ? ${firstAt} : globalThis.scannedAt + (n === 1 ? ${stallMs} : 5);
    Object.defineProperty(typed, 'timeStamp', { value: globalThis.scannedAt });
    if (document.activeElement.dispatchEvent(typed) && key.length === 1) document.execCommand('insertText', false, key);
  }`);
}

/** Resolves once the line of a product has this quantity. */
export async function holdsQuantity(till: Page, name: string, quantity: number): Promise<void> {
  await holdsValue(till, `Quantity of ${name}`, String(quantity));
}

/** Resolves once the field, of that label, holds it. */
export async function holdsValue(till: Page, of: string | Locator, value: string): Promise<void> {
  const field = typeof of === 'string' ? till.getByLabel(of) : of;
  await field.waitFor().catch(async (error: Error) => {
    throw new Error(`${error.message}\nOn the page: ${await till.locator('body').innerText()}`);
  });
  await till.waitForFunction(([input, wanted]) => (input as { value: string } | null)?.value === wanted, [
    await field.elementHandle(),
    value,
  ] as const);
}

/** F4; resolves once the amount of the payment has the focus. */
export async function takePayment(till: Page): Promise<Locator> {
  await till.keyboard.press('F4');
  const dialog = till.getByRole('dialog');
  await dialog
    .getByLabel(/^(Amount|Cash received)$/)
    .and(till.locator(':focus'))
    .waitFor();
  return dialog;
}

/** Enter completes the sale; its receipt number is said. */
export async function complete(till: Page): Promise<string> {
  await till.keyboard.press('Enter');
  return receiptIn(till, /^Sale (R-\S+)$/);
}

/** F8; the receipt number under which the sale waits. */
export async function park(till: Page): Promise<string> {
  await till.keyboard.press('F8');
  return receiptIn(till, /^Parked as (R-\S+)$/);
}

async function receiptIn(till: Page, pattern: RegExp): Promise<string> {
  const said = till.getByText(pattern).last();
  await said.waitFor();
  return pattern.exec((await said.textContent())!)![1]!;
}

/** Chooses in a list that opens below a field; what is typed narrows it. */
export async function choose(field: Locator, option: string | RegExp, typed?: string): Promise<void> {
  if (typed === undefined) await field.click();
  else await field.fill(typed);
  await field.page().getByRole('option', { name: option }).locator('visible=true').click();
}

/** The library puts the focus into a dialog's first field by a timer, which is late on a slow machine. */
export async function focusDialogsAfter(till: Page, ms: number): Promise<void> {
  await till.evaluate(`{
    const { setTimeout } = globalThis;
    globalThis.setTimeout = (run, delay = ${ms}, ...rest) => setTimeout(run, delay, ...rest);
  }`);
}
