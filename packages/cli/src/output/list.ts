import { safe } from './safe-text.ts';

/** Entries under a title, or without one where it is empty; nothing where there are none. */
export function list(title: string, entries: readonly string[]): string {
  if (entries.length === 0) return '';
  return `${title === '' ? '' : `${title}\n`}${entries.map((entry) => `  - ${safe(entry)}\n`).join('')}`;
}
