import { defineBadge } from './element.ts';
import type { BadgeTexts } from './text.ts';

/**
 * Starts the badge on a page of a shop.
 *
 * @param script - where this script was loaded from: that service, and nobody else, is trusted; nothing of the page has a say in it
 */
export function start(script: string, texts: BadgeTexts): void {
  try {
    const service = new URL('.', script).href.replace(/\/$/, '');
    defineBadge({
      service,
      texts,
      loadJudge: async () => (await import('./verifier.ts')).createJudge(service),
    });
  } catch {
    // the page of a shop goes on without
  }
}
