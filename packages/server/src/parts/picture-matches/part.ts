import { pictureMatchesPart as contract } from '@touchstone/contract';
import type { Part } from '../../core/part.ts';
import { pictureIndexing } from './index-pictures.ts';

/** Finds where the pictures of checked pages are certified, by an index of what certified pictures look like. */
export const pictureMatchesPart: Part = {
  ...contract,
  hasTables: true,
  listeners: pictureIndexing,
  async open(core) {
    const { openPictureMatches } = await import('./open-picture-matches.ts');
    return openPictureMatches(core);
  },
};
