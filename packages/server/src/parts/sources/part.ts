import { sourcesPart as contract } from '@touchstone/contract';
import type { Part } from '../../core/part.ts';
import { settingsIn } from '../../platform/settings/config.ts';
import { integer } from '../../platform/settings/setting-types.ts';
import { sourceEnds } from './end-source.ts';

const SETTINGS = {
  IMPORTS_CONCURRENT: integer(0, 32)
    .default(2)
    .describe(
      'Catalogues that each process imports at the same time, one per merchant; 0: none; 1: a shop that takes over 6 s for an answer is read only while nobody waits.',
    ),
  IMPORT_INTERVAL_MS: integer(0, 60_000)
    .default(500)
    .describe('Milliseconds between two requests of an import.'),
};

/** Catalogues that the service reads itself: imports with progress, scheduled sources. */
export const sourcesPart: Part = {
  ...contract,
  hasTables: true,
  settings: SETTINGS,
  listeners: sourceEnds,
  async open({ config, registry, logger, closers, due, fetchers, pageChecks, readiness }) {
    const { openSources } = await import('./open-sources.ts');
    const { IMPORTS_CONCURRENT: concurrent, IMPORT_INTERVAL_MS: interval } = settingsIn(SETTINGS, config);
    return openSources({
      concurrent,
      interval,
      registry,
      logger,
      closers,
      due,
      fetcher: fetchers.catalogues,
      readPage: pageChecks.readPage,
      isDraining: readiness.isDraining,
    });
  },
};
