import { pagesPart as contract, getCheckPage, getHome, getVerifierPage } from '@touchstone/contract';
import type { Part } from '../../core/part.ts';

/** The pages for people: an HTML document for each address that has one, and the files built from `packages/web`. */
export const pagesPart: Part = {
  ...contract,
  servesPages: true,
  pages: [
    { operation: getHome, page: 'check' },
    { operation: getCheckPage, page: 'check' },
    { operation: getVerifierPage, page: 'verify' },
  ],
  async prepare(write) {
    const { buildPages } = await import('./build-pages.ts');
    await buildPages(write);
  },
  async open({ config, overrides, logger, baseUrl, present }) {
    const { openPages } = await import('./open-pages.ts');
    const { formerBaseUrls, without } = config;
    return openPages({
      folders: overrides.webFolders,
      logger,
      baseUrl,
      formerBaseUrls,
      without,
      pages: present.pages,
    });
  },
};
