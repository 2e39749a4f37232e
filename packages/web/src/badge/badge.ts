import { defineBadge } from './element.ts';

/** Where this script was loaded from, and nobody else, is the service that is trusted: nothing of the page has a say in it. */
try {
  defineBadge({
    service: new URL('.', import.meta.url).href.replace(/\/$/, ''),
    async loadJudge() {
      const { createJudge } = await import('./verifier.ts');
      return createJudge(new URL('.', import.meta.url).href.replace(/\/$/, ''));
    },
  });
} catch {
  // the page of a shop goes on without
}
