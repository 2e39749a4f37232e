import type { PictureMatches } from '@touchstone/contract';
import { safe } from './text.ts';

/** Where the pictures of a page are certified, a line for each statement. */
export function picturesText({ state, matches, findings }: PictureMatches): string {
  if (state === 'pending') return 'Pictures:\n  They are still being fetched: check again in a minute.\n';
  const lines = [
    ...matches.map(({ statement }) => statement),
    ...findings.map(({ code, sentence, pictures }) =>
      pictures === undefined ? `${code}: ${sentence}` : `${code}: ${sentence} (${pictures})`,
    ),
  ];
  return `Pictures:\n${lines.map((line) => `  ${safe(line)}\n`).join('')}`;
}
