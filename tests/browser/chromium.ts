/** A real Chromium for the admin panel: Debian's, or the one that CHROMIUM names. */
import { existsSync, readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { type Browser, chromium, type Frame, type Page } from 'playwright-core';

/** Of a package of its own; it takes a third less CPU time. */
const withoutWindow = '/usr/bin/chromium-headless-shell';
const executable = process.env.CHROMIUM ?? (existsSync(withoutWindow) ? withoutWindow : '/usr/bin/chromium');

/** Why there is no browser; undefined when there is one. */
export const missingChromium = existsSync(executable) ? undefined : `there is no Chromium at ${executable}; CHROMIUM names another path`;

export function openChromium(): Promise<Browser> {
  return chromium.launch({ executablePath: executable, args: ['--no-sandbox', '--disable-dev-shm-usage'] });
}

const axeSource = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');

/** What axe finds wrong on the page as it is shown now, one line each. */
export async function axeFindings(page: Page | Frame): Promise<string[]> {
  // The page's policy allows no injected script element; what the browser itself evaluates is not subject to it.
  if (!(await page.evaluate<boolean>("'axe' in globalThis"))) await page.evaluate(axeSource);
  const violations = await page.evaluate(async () => {
    const { axe } = globalThis as unknown as { axe: { run: () => Promise<{ violations: Violation[] }> } };
    return (await axe.run()).violations;
  });
  return violations.flatMap(({ id, nodes }) => nodes.map((node) => `${id}: ${node.html.slice(0, 160)} (${node.failureSummary ?? ''})`));
}

/** Buttons whose label is wider than they are, and buttons and fields beyond the edge of their section or of the page. */
export function cutButtons(page: Page, within = 'main'): Promise<string[]> {
  return page.evaluate<string[]>(`[...document.querySelectorAll('${within} :is(button, input)')].filter((one) => {
  const edge = () => Math.min(innerWidth, one.closest('.section')?.getBoundingClientRect().right ?? innerWidth);
  const label = one.querySelector('.mantine-Button-label:not(.long-name *)');
  return (label && label.scrollWidth > label.clientWidth + 1) || one.getBoundingClientRect().right > edge();
}).map((one) => one.outerHTML)`);
}

interface Violation {
  id: string;
  nodes: { html: string; failureSummary?: string }[];
}

/** Everything that the page complains about: errors, console errors, violations of its policy. */
export function complaintsOf(page: Page): string[] {
  const said: string[] = [];
  page.on('pageerror', (error) => said.push(`error: ${error.message}`));
  page.on('console', (message) => {
    // A refused request is the panel's business; what it does about it is tested.
    if (message.type() === 'error' && !/Failed to load resource/.test(message.text())) said.push(`console: ${message.text()}`);
  });
  return said;
}

/** The addresses that answered 403 from now on. */
export function refusalsOf(page: Page): string[] {
  const refused: string[] = [];
  page.on('response', (response) => void (response.status() === 403 && refused.push(response.url())));
  return refused;
}

/** Resolves once the page has its heading and nothing on it is loading. */
export async function shown(page: Page): Promise<void> {
  await page.locator('h1').first().waitFor();
  await page.getByRole('status', { name: 'Loading' }).first().waitFor({ state: 'detached' });
  // A colour in transition has not its contrast yet.
  const ending = 'document.getAnimations().filter(({ effect }) => effect.getComputedTiming().endTime < Infinity)';
  await page.evaluate(`Promise.allSettled(${ending}.map(({ finished }) => finished))`);
}

/** Goes to another page of the panel as a link does, without loading the panel anew. */
export async function follow(page: Page, path: string): Promise<void> {
  // To the page that is shown already there is no way.
  if (new URL(path, page.url()).href.replace(/\/$/, '') === page.url().replace(/\/$/, '')) return;
  const leave = "document.querySelector('h1').dataset.left = ''";
  await page.evaluate(`${leave}; history.pushState({}, '', ${JSON.stringify(path)}); dispatchEvent(new PopStateEvent('popstate'))`);
  await page.locator('h1:not([data-left])').waitFor();
}

export async function signIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel('E-mail').fill(email);
  await page.getByLabel('Password', { exact: true }).fill(password);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByRole('navigation', { name: 'Pages' }).waitFor({ state: 'attached' });
}
