/** Answers of the store that come late or never. */
import type { Page } from 'playwright-core';

/** Holds such requests until the returned function is called. */
export async function holdAnswer(page: Page, method: string, path: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    if (route.request().method() === method) await promise;
    await route.fallback();
  });
  return resolve;
}

/** The store answers such requests at once; the page has the answers when the returned function is called. */
export async function lateAnswer(page: Page, method: string, path: RegExp): Promise<() => void> {
  const { promise, resolve } = Promise.withResolvers<void>();
  await page.route(path, async (route) => {
    if (route.request().method() !== method) return route.fallback();
    const response = await route.fetch();
    await promise;
    await route.fulfill({ response });
  });
  return resolve;
}

/** Loses the answers to so many such requests after the store has acted. Returns how many were lost so far. */
export async function loseAnswer(page: Page, method: string, path: RegExp, times = 1): Promise<() => number> {
  let lost = 0;
  await page.route(path, async (route) => {
    if (route.request().method() !== method || lost >= times) return route.fallback();
    lost++;
    await route.fetch();
    await route.abort('connectionreset');
  });
  return () => lost;
}

/** Delivers such requests twice, as a network does that repeats what it carries; the page has the second answer. */
export async function doubleRequest(page: Page, method: string, path: RegExp): Promise<void> {
  await page.route(path, async (route) => {
    if (route.request().method() === method) await route.fetch();
    await route.fallback();
  });
}
