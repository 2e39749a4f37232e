import { defineBadge } from './element.ts';

try {
  // where this script was loaded from, and nobody else, is the service that is trusted: nothing of the page has a say in it
  const service = new URL(/* @vite-ignore */ '.', import.meta.url).href.replace(/\/$/, '');
  defineBadge({
    service,
    async loadJudge() {
      const { createJudge } = await import('./verifier.ts');
      return createJudge(service);
    },
  });
} catch {
  // the page of a shop goes on without
}
