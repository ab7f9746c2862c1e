/**
 * Pictures of every page of the admin panel at two widths, in light and dark, with what axe finds on each and how soon the first page
 * is usable. By hand, over a running system: npm start, then node tests/browser/screenshots.ts [folder] [pattern of paths].
 */
import { mkdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { DemoFile } from '../../tools/demo/demo-store.ts';
import { dataDir } from '../../tools/local/data-dir.ts';
import { axeFindings, complaintsOf, follow, openChromium, shown, signIn } from './chromium.ts';
import { panelPaths } from './panel-paths.ts';

const [folder = '.cache/screenshots', only = ''] = process.argv.slice(2);
const demo = JSON.parse(readFileSync(path.join(dataDir(), 'demo.json'), 'utf8')) as DemoFile;
const sizes = [
  { name: '1280', width: 1280, height: 860 },
  { name: '390', width: 390, height: 844 },
];
const usableWithinMs = 1_500;
/** For a machine that does much else. */
const withinMs = 90_000;

mkdirSync(folder, { recursive: true });
const browser = await openChromium();
let wrong = 0;
const say = (line: string) => {
  wrong += 1;
  console.log(line);
};
try {
  const context = await browser.newContext({ colorScheme: 'light', reducedMotion: 'reduce', viewport: sizes[0]! });
  context.setDefaultTimeout(withinMs);
  const page = await context.newPage();
  const complaints = complaintsOf(page);
  await page.goto(`${demo.base_url}/admin`);
  await shown(page);
  await page.screenshot({ path: path.join(folder, 'sign-in-1280.png') });
  for (const finding of await axeFindings(page)) say(`sign-in: ${finding}`);
  await signIn(page, demo.staff);
  await shown(page);
  const started = performance.now();
  await page.reload();
  await shown(page);
  const usable = performance.now() - started;
  if (usable > usableWithinMs) say(`the first page was usable after ${Math.round(usable)} ms; the budget is ${usableWithinMs}`);
  else console.log(`the first page was usable after ${Math.round(usable)} ms`);
  const call = (at: string) => page.evaluate(async (url) => (await fetch(url)).json(), `/api/v1${at}`);
  const paths = (await panelPaths(call)).filter((at) => new RegExp(only).test(at));
  for (const at of paths) {
    await follow(page, `/admin${at}`);
    for (const { name, ...size } of sizes) {
      for (const colorScheme of ['light', 'dark'] as const) {
        await page.emulateMedia({ colorScheme });
        await page.setViewportSize(size);
        await shown(page);
        await page.waitForLoadState('networkidle').catch(() => undefined);
        const file = `${at === '/' ? 'today' : at.slice(1).replaceAll('/', '-')}-${name}-${colorScheme}`;
        await page.screenshot({ path: path.join(folder, `${file}.png`), fullPage: true });
        const wide = await page.evaluate<number>('document.documentElement.scrollWidth - window.innerWidth');
        if (wide > 0) say(`${file}: the page is ${wide} px wider than the screen`);
        for (const finding of await axeFindings(page)) say(`${file}: ${finding}`);
      }
    }
  }
  for (const complaint of complaints) say(complaint);
} finally {
  await browser.close();
}
console.log(`${wrong} findings; the pictures are in ${folder}`);
process.exitCode = wrong > 0 ? 1 : 0;
