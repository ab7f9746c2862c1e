const escapes: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };

export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (char) => escapes[char]!);

/** The anchor of a heading, as GitHub makes it. */
export function slugOf(heading: string): string {
  return heading
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}\p{M} _-]/gu, '')
    .replaceAll(' ', '-');
}

/** A name, already escaped, that a narrow column may break between its parts. */
export const breakable = (name: string): string => name.replaceAll(/(?<=\w)([._,:])(?=\w)/g, '$1<wbr>').replaceAll(/(?<=\w)\//g, '<wbr>/');
