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

/** The answer to the first such POST is lost after the store has acted. */
export async function loseAnswer(page: Page, path: RegExp): Promise<void> {
  let lost = 0;
  await page.route(path, async (route) => {
    if (route.request().method() !== 'POST' || lost++ > 0) return route.fallback();
    await route.fetch();
    await route.abort('connectionreset');
  });
}
