import { ITEM_CODES, ITEM_CONCLUSION_TABLE, ITEM_NOTES, NOT_COMPARED } from '@touchstone/certificate/item';
import { codeRows } from '../../code-table.ts';
import type { ContractPart } from '../../part.ts';
import { getStoreFeed } from './feed-operation.ts';
import { verifyItems } from './operations.ts';

export const itemsPart: ContractPart = {
  name: 'items',
  operations: [verifyItems, getStoreFeed],
  codes: [
    {
      title: 'Conclusions about items',
      intro:
        'In `conclusion.code` of the verification of an item of a feed, in addition to those above, and before all that say what a page shows.',
      advice: 'Check the page before you buy: nothing about an item alone is a reason to go ahead.',
      rows: ITEM_CONCLUSION_TABLE.filter(({ code }) => ITEM_CODES.includes(code)).map(
        ({ code, level, sentence }) => ({ code, sentence: `${level}: ${sentence}` }),
      ),
    },
    {
      title: 'Codes of items',
      intro:
        'Before the colon in `warnings` of the verification of an item of a feed, and in `why` of a field that was not compared.',
      advice: 'A field that was not compared is neither a pass nor a failure.',
      rows: codeRows({ ...ITEM_NOTES, ...NOT_COMPARED }),
    },
  ],
};
