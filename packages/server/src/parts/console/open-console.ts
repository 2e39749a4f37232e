import type { Keys } from '../../core/keys/open-keys.ts';
import type { OpenPart } from '../../core/part.ts';
import type { Registry } from '../../core/registry/context.ts';
import { consoleRoutes } from './routes.ts';
import { findSession } from './sessions/find-session.ts';
import { sessionRoutes } from './sessions/routes.ts';
import { purgeSessions } from './sessions/sessions.ts';
import { recordDaysTask } from './store-history.ts';

export interface ConsoleOptions {
  readonly registry: Registry;
  readonly keys: Keys;
  readonly baseUrl: string;
  readonly signingRotateDays: number;
}

const HOUR = 3_600_000;

export function openConsole({ registry, keys, baseUrl, signingRotateDays }: ConsoleOptions): OpenPart {
  const rotation = {
    policy: { rotateEvery: signingRotateDays * 24 * HOUR },
    listKeys: {
      proofs: keys.proofs.list,
      requests: keys.requests.list,
      status_lists: keys.statusLists.list,
      receipts: keys.receipts.list,
      attestations: keys.attestations.list,
    },
  };
  return {
    routes: [...sessionRoutes(registry, baseUrl), ...consoleRoutes(registry, rotation)],
    findSession: (token) => findSession(registry, token),
    tasks: [
      recordDaysTask(registry),
      { name: 'purge sessions', every: HOUR, run: () => purgeSessions(registry) },
    ],
  };
}
