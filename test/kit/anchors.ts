import { readFileSync } from 'node:fs';

/** The anchors of a Markdown page, derived from its headings like GitHub's. */
export function anchorsOf(file: string): ReadonlySet<string> {
  const outsideCode = readFileSync(file, 'utf8').replace(/^```[\s\S]*?^```/gm, '');
  const headings = [...outsideCode.matchAll(/^#{1,6} (.+)$/gm)].map(([, text = '']) => text);
  return new Set(
    headings.map((text) =>
      text
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
        .replaceAll(' ', '-'),
    ),
  );
}
