import { pictureMatchesPart as contract } from '@touchstone/contract';
import type { Part } from '../../core/part.ts';
import { pictureIndexing } from './index-pictures.ts';
import { openPagePictures } from './page-pictures.ts';
import { textKeeping } from './product-texts.ts';
import { changeAllowedHost } from './settings.ts';

/** Finds where the pictures of checked pages are certified, by an index of what certified pictures look like. */
export const pictureMatchesPart: Part = {
  ...contract,
  hasTables: true,
  listeners: { ...pictureIndexing, ...textKeeping, hostAllowed: changeAllowedHost },
  pagePictures: openPagePictures,
  async open(core) {
    const { openPictureMatches } = await import('./open-picture-matches.ts');
    return openPictureMatches(core);
  },
};
