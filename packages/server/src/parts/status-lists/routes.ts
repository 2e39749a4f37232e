import * as contract from '@touchstone/contract';
import type { GetKeySet } from '../../core/keys/get-key-set.ts';
import { andThen } from '../../platform/and-then.ts';
import type { Database } from '../../platform/database/database.ts';
import { ServiceError } from '../../platform/errors.ts';
import { documentReply, implement, ok } from '../../platform/http/implement.ts';
import type { Route } from '../../platform/http/route.ts';
import { readStatusLists } from './count-lists.ts';
import type { GetStatusList } from './get-status-list.ts';
import { ifRefused } from './list-copies.ts';

export interface StatusListUseCases {
  readonly db: Database;
  readonly getList: GetStatusList;
  readonly getKeySet: GetKeySet<contract.StatusListKeys>;
  /** @throws TokenRefused */
  readonly merge: (token: string) => Promise<void>;
}

export function statusListRoutes(use: StatusListUseCases): Route[] {
  return [
    implement(contract.getStatusList, ({ params, query }) => {
      if (query.time !== undefined) throw new ServiceError('status_history_unsupported');
      return andThen(
        use.getList(params.list),
        ({ body, headers }) => ({ status: 200, headers, body }) as const,
      );
    }),
    implement(contract.getStatusListKeys, () => andThen(use.getKeySet(), documentReply)),
    implement(contract.listStatusLists, async () => ok(await readStatusLists(use.db))),
    implement(contract.mergeStatusList, async ({ body }) => {
      await use.merge(body.token).catch(
        ifRefused(({ message }) => {
          throw new ServiceError('status_list_refused', {
            message: `The status list is refused: ${message}.`,
          });
        }),
      );
      return ok(await readStatusLists(use.db));
    }),
  ];
}
