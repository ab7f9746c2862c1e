/** Reads every page of what changed since the last look, as a web shop does every few minutes. */
import { check } from 'k6';
import { ask } from './request.js';

const perPage = 100;
const pagesMax = 20;
const lookBackMs = 60_000;

export function catalogueSync(turn) {
  const since = new Date(Date.now() - lookBackMs).toISOString();
  const seen = {};
  let pages = 1;
  for (let page = 1; page <= Math.min(pages, pagesMax); page++) {
    const path = `/products?updated_since=${encodeURIComponent(since)}&per_page=${perPage}&page=${page}`;
    const answer = ask(turn, 'GET', path, { name: 'GET /products?updated_since' });
    if (!answer) return;
    for (const { id } of answer.data) seen[id] = true;
    pages = answer.pagination.total_pages;
    check(answer, { 'a page is no longer than asked for': ({ data }) => data.length <= perPage });
  }
}
