import { Marked, type Tokens } from 'marked';
import { colourCode } from './colour-code.ts';
import { breakable, escapeHtml, slugOf } from './html.ts';

export interface Heading {
  depth: number;
  id: string;
  text: string;
}

export interface Rendered {
  html: string;
  title: string;
  headings: Heading[];
}

/** `pageOf`: the address that a relative link of this document leads to; undefined: a file that is not served. */
export function renderMarkdown(text: string, pageOf: (link: string) => string | undefined): Rendered {
  const headings: Heading[] = [];
  const taken = new Set<string>();
  const marked = new Marked({ gfm: true });
  marked.use({
    renderer: {
      heading({ tokens, depth }: Tokens.Heading) {
        const html = this.parser.parseInline(tokens);
        const plain = this.parser.parseInline(tokens, this.parser.textRenderer);
        const id = uniqueIn(taken, slugOf(unescaped(plain)));
        headings.push({ depth, id, text: unescaped(plain) });
        return depth === 1 ? `<h1 id="${id}">${html}</h1>\n` : `${sectionHeading(depth, id, html)}\n`;
      },
      code({ text: code, lang }: Tokens.Code) {
        return codeBlock(code, lang ?? '');
      },
      table(token: Tokens.Table) {
        const row = (cells: Tokens.TableCell[], tag: 'th' | 'td') =>
          cells.map((cell) => tableCell(tag, this.parser.parseInline(cell.tokens))).join('');
        const body = token.rows.map((cells) => `<tr>${row(cells, 'td')}</tr>`).join('\n');
        return `${scrollable('Table', row(token.header, 'th'), body)}\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const html = this.parser.parseInline(tokens);
        const target = /^(https?:|mailto:)/.test(href) ? href : pageOf(href);
        return target === undefined ? `<span class="unserved">${html}</span>` : `<a href="${escapeHtml(target)}">${html}</a>`;
      },
    },
  });
  const html = marked.parse(text, { async: false });
  return { html, title: headings[0]?.text ?? '', headings };
}

/** The heading of a section, with a link to itself. */
export const sectionHeading = (depth: number, id: string, html: string): string =>
  `<h${depth} id="${id}">${html}<a class="anchor" href="#${id}" aria-label="Link to this section">#</a></h${depth}>`;

/** A table that can be scrolled with the keyboard. */
export const scrollable = (label: string, head: string, rows: string): string =>
  `<div class="table" role="group" aria-label="${label}" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table></div>`;

/** A block of code that can be scrolled with the keyboard. */
export function codeBlock(code: string, language: string): string {
  return `<div class="code"><pre${language === 'sh' ? ' class="sh"' : ''} tabindex="0"><code>${colourCode(code, language)}</code></pre></div>\n`;
}

/** A column without a name has no header cell: screen readers would read an empty one. */
function tableCell(tag: 'th' | 'td', html: string): string {
  if (tag === 'th' && html === '') return '<td></td>';
  return `<${tag}>${html.replaceAll(/<code>([^<]*)<\/code>/g, (_, name: string) => `<code>${breakable(name)}</code>`)}</${tag}>`;
}

function uniqueIn(taken: Set<string>, slug: string): string {
  let id = slug;
  for (let n = 1; taken.has(id); n += 1) id = `${slug}-${n}`;
  taken.add(id);
  return id;
}

const entities: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" };
const unescaped = (html: string): string => html.replaceAll(/&(amp|lt|gt|quot|#39);/g, (entity) => entities[entity]!);
