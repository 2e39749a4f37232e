import { codeRows } from '../../code-table.ts';
import type { ContractPart } from '../../part.ts';
import { PICTURE_CODES } from './codes.ts';
import { getPageCheckPictures, getPictureSettings, setPictureSettings } from './operations.ts';

export const pictureMatchesPart: ContractPart = {
  name: 'picture-matches',
  operations: [getPageCheckPictures, getPictureSettings, setPictureSettings],
  codes: [
    {
      title: 'Codes about the pictures of a page',
      intro: 'In `findings` of the pictures of a page check.',
      advice: 'They are facts of this registry, never a verdict: none of them says who made a picture.',
      rows: codeRows(PICTURE_CODES),
    },
  ],
};
