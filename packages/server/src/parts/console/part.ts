import { consolePart as contract, getConsolePage, getConsolePlace } from '@touchstone/contract';
import type { Part } from '../../core/part.ts';
import { sessionEnds } from './sessions/end-sessions.ts';

/** What the console shows besides the registry: sessions, setup progress, daily history, activity, the operator's overview. */
export const consolePart: Part = {
  ...contract,
  hasTables: true,
  listeners: sessionEnds,
  pages: [
    { operation: getConsolePage, page: 'console' },
    { operation: getConsolePlace, page: 'console' },
  ],
  async open({ config, registry, keys, baseUrl }) {
    const { openConsole } = await import('./open-console.ts');
    return openConsole({ registry, keys, baseUrl, signingRotateDays: config.signingRotateDays });
  },
};
