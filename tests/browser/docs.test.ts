/** The documentation in a real Chromium: no errors, nothing from other hosts, accessible, at the width of a desktop and of a phone. */
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from '@jest/globals';
import type { Browser, Frame, Page } from 'playwright-core';
import { httpUnderTest } from '../../apps/gateway/test/http-under-test.ts';
import { axeFindings, missingChromium, openChromium } from './chromium.ts';

const describeWithChromium = missingChromium ? describe.skip : describe;
const desktop = 1280;
const phone = 390;
const pages: [string, number][] = [
  ['/docs', desktop],
  ['/docs/events', desktop],
  ['/docs/reference', desktop],
  ['/docs/sync-a-catalogue', phone],
  ['/docs/reference', phone],
];
/** A browser on a busy machine; only what hangs reaches these. */
const stepWithinMs = 90_000;
const withinMs = 3 * stepWithinMs;
const testInTime = (title: string, run: () => Promise<void>) => test(title, run, withinMs);
const screenshots = fileURLToPath(new URL('../../.cache/docs-screenshots/', import.meta.url));

describeWithChromium(`the documentation in a browser${missingChromium ? ` (skipped: ${missingChromium})` : ''}`, () => {
  let gateway: Awaited<ReturnType<typeof httpUnderTest>>;
  let browser: Browser;
  beforeAll(async () => {
    gateway = await httpUnderTest();
    browser = await openChromium();
    mkdirSync(screenshots, { recursive: true });
  }, withinMs);
  afterAll(async () => {
    await browser?.close();
    await gateway?.close();
  }, withinMs);

  /** Opens a page, and notes what a reader would not see: errors, and requests to other hosts. */
  async function open(at: string, width: number): Promise<{ page: Page; faults: string[] }> {
    const context = await browser.newContext({ viewport: { width, height: 900 } });
    const page = await context.newPage();
    page.setDefaultTimeout(stepWithinMs);
    const faults: string[] = [];
    page.on('pageerror', (error) => faults.push(error.message));
    page.on('console', (message) => message.type() === 'error' && faults.push(message.text()));
    page.on('request', (request) => {
      const url = request.url();
      if (!url.startsWith(gateway.baseUrl) && !/^(data|blob):/.test(url)) faults.push(`asked another host: ${url}`);
    });
    await page.goto(`${gateway.baseUrl}${at}`);
    if (at.startsWith('/docs/reference')) await viewerOf(page).getByText('Test Request').first().waitFor();
    return { page, faults };
  }

  const checked = 'each kind of page is without errors, without violations of axe, and no wider than the screen';
  test(checked, () => checkPages(open), 2 * withinMs);

  const tried =
    'a reader tries an endpoint with a key of their own: the request goes to this API, and the key is in no storage of the browser';
  testInTime(tried, async () => {
    const { key } = await gateway.key(await gateway.store());
    const { page, faults } = await open('/docs/reference#tag/calling-key/GET/key', desktop);
    const viewer = viewerOf(page);
    await viewer.locator('input.scalar-password-input').first().fill(key!);
    const opening = viewer.getByRole('button', { name: /Test Request.*get \/key/ }).first();
    await opening.click();
    await viewer.getByRole('button', { name: /^Send/ }).first().waitFor();
    expect(await findingsOf(page)).toEqual([]);
    await page.screenshot({ path: path.join(screenshots, 'try-it-1280.png') });
    const answered = page.waitForResponse(`${gateway.baseUrl}/api/v1/key`);
    await viewer.getByRole('button', { name: /^Send/ }).first().click();
    const answer = await answered;
    expect([answer.status(), answer.request().headers()['x-api-key']]).toEqual([200, key]);
    expect(await answer.json()).toMatchObject({ data: { name: 'Web shop', scopes: ['products:read'] } });
    await viewer.getByText('Web shop').first().waitFor();
    expect(await page.evaluate<string>('JSON.stringify({ ...localStorage, ...sessionStorage })')).not.toContain(key);
    await viewer.getByRole('dialog').first().press('Escape');
    await viewer.getByRole('dialog').first().waitFor({ state: 'hidden' });
    await opening.click();
    await viewer.getByRole('dialog').first().waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });

  const kept =
    "a script in the viewer reads neither what the panel stores nor its cookie, sends neither, and reaches no page of the panel's origin";
  testInTime(kept, async () => {
    const { token } = await gateway.store();
    const { page } = await open('/docs/reference', desktop);
    await page.evaluate("localStorage.setItem('store-admin-session', 'the token')");
    const cookie = { name: '__Host-sid', value: token, url: gateway.baseUrl.replace('http:', 'https:'), secure: true, httpOnly: true };
    await page.context().addCookies([{ ...cookie, sameSite: 'Strict' }]);
    const settings = "fetch('/api/v1/settings', { credentials: 'include' }).then(({ status }) => status)";
    // The panel itself reaches both: what follows is not refused for another reason.
    expect(await page.evaluate(`${settings}.then((status) => [status, localStorage.getItem('store-admin-session')])`)).toEqual([
      200,
      'the token',
    ]);
    const script = (text: string) =>
      frameOf(page).evaluate(`(async () => { try { return await (${text}); } catch ({ name }) { return name; } })()`);
    expect(await script("localStorage.getItem('store-admin-session')")).toBeNull();
    for (const reach of ['document.cookie', 'parent.localStorage', 'parent.document', 'top.document', 'indexedDB.open("a")'])
      expect([reach, await script(reach)]).toEqual([reach, 'SecurityError']);
    // Without the cookie: by the page around it, and past it, where the browser shows it no answer.
    expect(await script(settings)).toBe(401);
    const past = `new Promise((resolve) => {
      const asked = Object.assign(new XMLHttpRequest(), { onloadend: () => resolve(asked.status) });
      asked.open('GET', '/api/v1/settings');
      asked.withCredentials = true;
      asked.send();
    })`;
    const sent = page.waitForRequest(`${gateway.baseUrl}/api/v1/settings`);
    expect(await script(past)).toBe(0);
    expect((await (await sent).allHeaders()).cookie).toBeUndefined();
    expect(await script(`fetch('https://elsewhere.example/').then(({ status }) => status)`)).toBe('TypeError');
    await page.context().close();
  });

  const read = 'the menu of a phone leads to a guide, the choice of light or dark is kept, and examples name the address of the page';
  testInTime(read, async () => {
    const { page, faults } = await open('/docs', phone);
    await page.getByText('Menu', { exact: true }).click();
    await page.getByRole('navigation', { name: 'All pages' }).getByRole('link', { name: 'First request' }).click();
    await page.getByRole('heading', { level: 1, name: 'First request' }).waitFor();
    await page.getByRole('button', { name: 'Dark' }).click();
    await page.goto(`${gateway.baseUrl}/docs/errors`);
    expect(await page.locator('html').getAttribute('data-theme')).toBe('dark');
    await page.getByRole('button', { name: 'Copy this code' }).first().waitFor();
    await page.goto(`${gateway.baseUrl}/docs`);
    await page.getByText(`${gateway.baseUrl}/api/v1/products?search=lantern`).first().waitFor();
    expect(faults).toEqual([]);
    await page.context().close();
  });
});

async function checkPages(open: (at: string, width: number) => Promise<{ page: Page; faults: string[] }>): Promise<void> {
  for (const [at, width] of pages) {
    const { page, faults } = await open(at, width);
    await page.screenshot({ path: path.join(screenshots, `${at.slice(1).replaceAll('/', '-')}-${width}.png`) });
    expect([at, width, faults, await findingsOf(page)]).toEqual([at, width, [], []]);
    for (const part of [page, frameOf(page)])
      expect(await part.evaluate('document.documentElement.scrollWidth')).toBeLessThanOrEqual(width);
    await page.context().close();
  }
}

const viewerOf = (page: Page) => page.frameLocator('iframe');
/** The frame of the viewer; a guide has none, and is its own. */
const frameOf = (page: Page): Frame => page.frames().at(-1)!;

async function findingsOf(page: Page): Promise<string[]> {
  return [...(await axeFindings(page)), ...(frameOf(page) === page.mainFrame() ? [] : await axeFindings(frameOf(page)))];
}
