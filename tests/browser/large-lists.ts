/**
 * How soon the panel's first page is usable, and how its lists behave over many rows: each is opened, scrolled and paged to its end in
 * Chromium. By hand, over a running system that no store matters of: npm start, then node tests/browser/large-lists.ts [rows of each list].
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import type { CDPSession, Locator, Page } from 'playwright-core';
import type { DemoFile } from '../../tools/demo/demo-store.ts';
import { dataDir } from '../../tools/local/data-dir.ts';
import { follow, openChromium, shown, signIn } from './chromium.ts';
import { makeLargeStore } from './large-store.ts';

const rows = Number(process.argv[2] ?? 100_000);
const lists = ['/products', '/customers', '/sales?period=month', '/stock', '/purchase-orders', '/requests', '/audit'];
/** Keeps the longest task and the longest time between two frames. */
const recorder = `
  globalThis.recorded = { task: 0, frame: 0, last: performance.now() };
  new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) recorded.task = Math.max(recorded.task, duration);
  }).observe({ type: 'longtask' });
  const onFrame = (now) => {
    recorded.frame = Math.max(recorded.frame, now - recorded.last);
    recorded.last = now;
    requestAnimationFrame(onFrame);
  };
  requestAnimationFrame(onFrame)`;
const scrollPx = 400;
const scrolls = 12;

interface Measured {
  list: string;
  step: string;
  /** From the click until the rows are there. */
  shownMs: number;
  /** CPU time of the page's main thread. */
  cpuMs: number;
  longestTaskMs: number;
  longestFrameMs: number;
  rows: number;
}

const inFolder = (name: string) => JSON.parse(readFileSync(path.join(dataDir(), name), 'utf8'));
const { base_url: baseUrl } = inFolder('demo.json') as DemoFile;
const { url } = inFolder('postgres.json') as { url: string };
console.log(`Making a store with ${rows.toLocaleString('en')} rows behind each list`);
const { staff } = await makeLargeStore(url, rows);
const browser = await openChromium();
try {
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  const page = await context.newPage();
  await page.goto(`${baseUrl}/admin`);
  await signIn(page, staff);
  await shown(page);
  const reloadedAt = performance.now();
  await page.reload();
  await shown(page);
  console.log(`The first page was usable after ${Math.round(performance.now() - reloadedAt)} ms`);
  const cdp = await context.newCDPSession(page);
  await cdp.send('Performance.enable', { timeDomain: 'threadTicks' });
  await page.evaluate(recorder);
  const measured: Measured[] = [];
  for (const list of lists) {
    const step = async (name: string, act: () => Promise<unknown>) => measured.push(await measure({ page, cdp, list, step: name, act }));
    await step('first page', async () => {
      await follow(page, `/admin${list}`);
      await paging(page).waitFor();
    });
    await step('scroll', () => scroll(page));
    await step('page 2', () => pageTo(page, page.getByRole('button', { name: 'Page 2', exact: true })));
    await step('last page', () => pageTo(page, page.getByRole('button', { name: /^Page / }).last()));
    await step('scroll the last page', () => scroll(page));
  }
  console.table(measured);
} finally {
  await browser.close();
}

function paging(page: Page): Locator {
  return page.getByText(/^[\d,]+ to [\d,]+ of [\d,]+$/);
}

/** Until other rows are there: the line that says which ones changes with them. */
async function pageTo(page: Page, button: Locator): Promise<void> {
  const before = (await paging(page).textContent())!;
  await button.click();
  await page.getByText(before, { exact: true }).waitFor({ state: 'detached' });
}

async function scroll(page: Page): Promise<void> {
  for (let count = 0; count < scrolls; count++) {
    await page.mouse.wheel(0, scrollPx);
    await page.evaluate('new Promise(requestAnimationFrame)');
  }
}

interface Step {
  page: Page;
  cdp: CDPSession;
  list: string;
  step: string;
  act: () => Promise<unknown>;
}

async function measure({ page, cdp, list, step, act }: Step): Promise<Measured> {
  const cpuS = async () => (await cdp.send('Performance.getMetrics')).metrics.find(({ name }) => name === 'TaskDuration')!.value;
  const before = await cpuS();
  await page.evaluate('globalThis.recorded = { task: 0, frame: 0, last: performance.now() }');
  const startedAt = performance.now();
  await act();
  const shownMs = performance.now() - startedAt;
  await page.evaluate('new Promise(requestAnimationFrame)');
  const { task, frame } = await page.evaluate<{ task: number; frame: number }>('globalThis.recorded');
  const cpuMs = ((await cpuS()) - before) * 1_000;
  const shown = await page.locator('tbody tr').count();
  const [ms, cpu, longestTaskMs, longestFrameMs] = [shownMs, cpuMs, task, frame].map(Math.round) as [number, number, number, number];
  return { list, step, shownMs: ms, cpuMs: cpu, longestTaskMs, longestFrameMs, rows: shown };
}
