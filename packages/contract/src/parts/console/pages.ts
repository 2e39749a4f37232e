import { defineOperation } from '../../operation.ts';
import { BROWSER_OPERATION, PAGE_REPLY } from '../../operations/shared.ts';

export const getConsolePage = defineOperation({
  ...BROWSER_OPERATION,
  replies: PAGE_REPLY,
  errors: ['pages_not_built'],
  id: 'consolePage',
  path: '/console',
  summary: 'The console of merchants and operators',
});

/** The script of the page shows the part of the console that the path names. */
export const getConsolePlace = defineOperation({ ...getConsolePage, id: 'consolePlace', path: '/console/*' });
