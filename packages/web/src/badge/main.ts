import { defineBadge } from './element.ts';
import type { BadgeTexts } from './text.ts';

/**
 * Starts the badge on a page of a shop.
 *
 * @param script - address of this script: only its service is trusted; nothing on the page can change that
 */
export function start(script: string, texts: BadgeTexts): void {
  try {
    const service = new URL('.', script).href.replace(/\/$/, '');
    defineBadge({
      service,
      texts,
      loadJudge: async (onKnown) => (await import('./verifier.ts')).createJudge(service, onKnown),
    });
  } catch {
    // the shop's page continues without a badge
  }
}
