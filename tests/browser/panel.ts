/** The panel in a browser, over a world of its own, for a test file that is skipped where there is no Chromium. */
import { afterAll, afterEach, beforeAll, beforeEach, describe, test as inJest } from '@jest/globals';
import type { Browser, BrowserContext, BrowserContextOptions, Cookie, Page } from 'playwright-core';
import { adminFolder, buildAdmin } from '../../tools/local/admin-panel.ts';
import { openReceiver, type Receiver } from '../kit/receiver.ts';
import type { Login } from '../kit/stores.ts';
import { openWorld, type World } from '../kit/world.ts';
import { missingChromium, openChromium, shown, signIn } from './chromium.ts';

export const inBrowser = missingChromium ? describe.skip : describe;
/** What works takes a second. */
const withinMs = 60_000;
const testWithinMs = 600_000;
const openWithinMs = 600_000;
export const wide = { width: 1280, height: 860 };
export const narrow = { width: 360, height: 740 };

/** A test of the panel in a browser. */
export const test = (title: string, run: () => void | Promise<void>) => inJest(title, run, testWithinMs);

/** The page of the test that runs, where `usePanel` has a path. */
export let page: Page;
export const button = (name: string | RegExp) => page.getByRole('button', { name, exact: true });
export const dialog = () => page.getByRole('dialog');

export interface Panel {
  world: World;
  /** A subscriber that the world's webhooks can reach. */
  receiver: Receiver;
  newContext(options?: BrowserContextOptions): Promise<BrowserContext>;
  /** A page at that path, signed in. */
  signedIn(path: string, context: BrowserContext, login?: Login): Promise<Page>;
  open(path: string, page: Page): Promise<void>;
  /** What the admin of the world's store reads. */
  read(path: string): ReturnType<World['staff']>;
  /** Posts as that admin; the body of the answer, which must be a success. */
  post(path: string, body: unknown): ReturnType<World['staff']>;
}

/** `ready` is called when everything is open. With a path each test has a page there, signed in, in a browser context of its own. */
export function usePanel(ready: () => Promise<void>, path?: string): Panel {
  const world = {} as World;
  const receiver = {} as Receiver;
  const sessions = new Map<string, KeptSession>();
  let browser: Browser | undefined;
  beforeAll(async () => {
    if (missingChromium) return;
    const folder = adminFolder();
    Object.assign(receiver, await openReceiver());
    const opening = openWorld({ ...receiver.env, ADMIN_FILES: folder });
    const [opened, chromium] = await Promise.all([opening, openChromium(), buildAdmin(folder)]);
    Object.assign(world, opened);
    browser = chromium;
    await ready();
  }, openWithinMs);
  afterAll(async () => {
    await browser?.close();
    await world.close?.();
    await receiver.close?.();
  }, openWithinMs);
  const open = async (path: string, page: Page) => {
    await page.goto(`${world.baseUrl}/admin${path}`);
    await shown(page);
  };
  const panel: Panel = {
    world,
    receiver,
    newContext: async (options) => {
      const context = await browser!.newContext({ viewport: wide, reducedMotion: 'reduce', ...options });
      context.setDefaultTimeout(withinMs);
      // The store's clock is the test's; a session must not seem to have ended.
      await context.clock.setFixedTime(world.clock.now());
      return context;
    },
    signedIn: async (path, context, login = world.store) => {
      const page = await context.newPage();
      const kept = sessions.get(login.email);
      if (kept) await takeUp(page, kept, world.baseUrl);
      await page.goto(`${world.baseUrl}/admin${path}`);
      if (kept) await shown(page);
      const password = page.getByLabel('Password', { exact: true });
      // A test has ended the kept session, or there is none yet.
      if (!kept || (await password.count()) > 0) {
        await signIn(page, login);
        await password.waitFor({ state: 'detached' });
        sessions.set(login.email, await sessionOf(page));
        await shown(page);
      }
      return page;
    },
    open,
    read: (path) => world.staff('GET', path),
    post: (path, body) => world.staff('POST', path, body),
  };
  if (path !== undefined) {
    beforeEach(async () => {
      if (!missingChromium) page = await panel.signedIn(path, await panel.newContext());
    }, testWithinMs);
    afterEach(() => page?.context().close());
  }
  return panel;
}

/** A session that the next contexts of its login take up: signing in by the form takes seconds on a slow machine. */
interface KeptSession {
  cookies: Cookie[];
  /** What the panel itself keeps of it. */
  entry: string;
}

/** As apps/admin/src/api/session.ts has it. */
const entryName = 'store-admin-session';

async function sessionOf(page: Page): Promise<KeptSession> {
  const entry = await page.evaluate<string>(`localStorage.getItem('${entryName}')`);
  return { cookies: await page.context().cookies(), entry };
}

/** Before the panel is loaded, on a page of its origin that runs no script. */
async function takeUp(page: Page, { cookies, entry }: KeptSession, baseUrl: string): Promise<void> {
  await page.context().addCookies(cookies);
  await page.goto(`${baseUrl}/healthz`);
  await page.evaluate(`localStorage.setItem('${entryName}', ${JSON.stringify(entry)})`);
}

export interface Shop extends Panel {
  /** Of its goods, by name. */
  ids: Record<string, number>;
}

/** The panel of a store that sells these goods, by name with sku and price, without tax; each test has a page at that path. */
export function useShop(path: string, goods: Record<string, [sku: string, price: string]>, ready?: () => Promise<void>): Shop {
  const ids: Record<string, number> = {};
  const panel: Panel = usePanel(async () => {
    const { create, staff } = panel.world;
    await staff('PATCH', '/settings', { settings: { tax: { mode: 'single', rate: '0' } } });
    for (const [name, [sku, price]] of Object.entries(goods))
      ids[name] = (await create('/products', { product: { name, sku, price, cost: '0.00' } })).id;
    await ready?.();
  }, path);
  return { ...panel, ids };
}
