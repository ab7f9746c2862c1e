/** Colours of code blocks: comments, texts, numbers and keywords. Enough for short examples, without a library of 9 MB. */
import { escapeHtml } from './html.ts';

const text = `"(?:\\\\.|[^"\\\\\\n])*"|'(?:\\\\.|[^'\\\\\\n])*'`;
const number = '\\b\\d+(?:\\.\\d+)?\\b';

interface Language {
  comment?: string;
  text?: string;
  keywords?: string;
}

const typescript: Language = {
  comment: '//[^\\n]*|/\\*[\\s\\S]*?\\*/',
  text: `${text}|\`(?:\\\\.|[^\`\\\\])*\``,
  keywords:
    'as async await break case catch class const continue do else export extends false finally for from function if import in instanceof let new null of return switch throw true try type typeof undefined while',
};

const languages: Record<string, Language> = {
  json: { keywords: 'true false null' },
  ts: typescript,
  js: typescript,
  python: {
    comment: '#[^\\n]*',
    text: `"""[\\s\\S]*?"""|${text}`,
    keywords:
      'and as async await break class continue def elif else except False finally for from if import in is lambda None not or pass raise return True try while with yield',
  },
  go: {
    comment: '//[^\\n]*|/\\*[\\s\\S]*?\\*/',
    text: `${text}|\`[^\`]*\``,
    keywords:
      'break case const continue defer else false for func go if import interface map nil package range return struct switch true type var',
  },
  // In a shell a quoted text may span lines: the body of a request.
  sh: {
    comment: '(?<=^|\\s)#[^\\n]*',
    text: `"(?:\\\\.|[^"\\\\])*"|'[^']*'`,
    keywords: 'curl export npm npx node pip python3 for do done if then fi',
  },
};

/** HTML of a code block's text. An unknown language stays plain. */
export function colourCode(code: string, language: string): string {
  const known = languages[language];
  if (!known) return escapeHtml(code);
  const parts = [
    `(?<comment>${known.comment ?? '(?!)'})`,
    `(?<text>${known.text ?? text})`,
    `(?<keyword>(?<![\\w$/.-])(?:${(known.keywords ?? '').split(' ').join('|')})(?![\\w$/-]))`,
    `(?<number>${number})`,
  ];
  let html = '';
  let end = 0;
  for (const match of code.matchAll(new RegExp(parts.join('|'), 'gm'))) {
    const [kind] = Object.entries(match.groups!).find(([, value]) => value !== undefined)!;
    html += `${escapeHtml(code.slice(end, match.index))}<span class="c-${kind}">${escapeHtml(match[0])}</span>`;
    end = match.index + match[0].length;
  }
  return html + escapeHtml(code.slice(end));
}
