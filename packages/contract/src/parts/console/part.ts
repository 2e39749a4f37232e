import type { ContractPart } from '../../part.ts';
import { getOperatorOverview, listFailingHosts } from './operator.ts';
import { getConsolePage, getConsolePlace } from './pages.ts';
import { beginSession, endSession, getSession } from './sessions.ts';
import { getStoreHistory, getStoreSetup, listActivity } from './store-views.ts';

export const consolePart: ContractPart = {
  name: 'console',
  operations: [
    beginSession,
    getSession,
    endSession,
    getStoreSetup,
    getStoreHistory,
    listActivity,
    getOperatorOverview,
    listFailingHosts,
    getConsolePage,
    getConsolePlace,
  ],
};
