import { readFileSync } from 'node:fs';

/** The anchors that a Markdown page has, made of its headings as GitHub makes them. */
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
