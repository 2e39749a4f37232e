import type { Logger } from 'pino';
import type { StaticPage } from '../../core/core.ts';
import type { OpenPart } from '../../core/part.ts';
import { downloadRoutes } from './downloads.ts';
import { createPages, type ServiceFacts } from './pages.ts';
import { pageRoutes } from './routes.ts';
import { loadWebBuild } from './web-build.ts';

export interface OpenPagesOptions extends ServiceFacts {
  /** Where the built pages are looked for; absent: where our own build puts them. */
  readonly folders: readonly string[] | undefined;
  readonly logger: Logger;
  readonly pages: readonly StaticPage[];
}

export function openPages({ folders, logger, pages: statics, ...facts }: OpenPagesOptions): OpenPart {
  const build = loadWebBuild(folders);
  if (build === null)
    logger.warn('the pages were not built: "npm run build:pages" builds them; their addresses answer 503');
  const pages = build === null ? null : createPages(build, facts);
  return {
    routes: [...pageRoutes(build, pages, statics), ...downloadRoutes()],
    pageFor: (operation) => pages?.pageFor(operation),
  };
}
