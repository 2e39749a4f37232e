import * as contract from '@touchstone/contract';
import { sql } from 'kysely';
import { type Database, inTransaction } from '../../platform/database/database.ts';
import { accepted, implement, ok } from '../../platform/http/implement.ts';
import type { Route } from '../../platform/http/route.ts';
import { orderVisits, PUBLISH } from './order-copies.ts';

export interface PublishContext {
  readonly db: Database;
  readonly place: string | undefined;
}

export function publishRoutes(context: PublishContext): Route[] {
  return [
    implement(contract.getPublication, async () => ok(await readPublication(context))),
    implement(contract.publishAnew, async () => {
      if (context.place !== undefined) await inTransaction(context.db, (trx) => orderVisits(trx, true));
      return accepted(await readPublication(context), contract.getPublication.path);
    }),
  ];
}

/** Products that are due within a minute are counted up to this many. */
const COUNTED = 10_000;

async function readPublication({ db, place }: PublishContext): Promise<contract.Publication> {
  const { rows } = await sql<{
    certificates: number;
    waiting: number;
    unread: number;
    is_working: boolean;
    failure: NonNullable<contract.Publication['failure']> | null;
  }>`
    select (select count(*) from published_certificates where etag is not null)::int as certificates,
      (select count(*) from (select from published_certificates where due_at <= now() + interval '60 seconds' limit ${COUNTED}) due)::int as waiting,
      (select count(*) from published_certificates where failure is not null)::int as unread,
      exists (select from jobs where queue = ${PUBLISH} and state in ('ready', 'running'))
        or exists (select from published_visits where visit_after is not null) as is_working,
      (select jsonb_build_object('code', failure ->> 'code', 'detail', failure ->> 'detail', 'at', failure ->> 'at')
        from jobs where queue = ${PUBLISH} and failure is not null order by failure ->> 'at' desc limit 1) as failure`.execute(
    db,
  );
  const [row] = rows;
  if (row === undefined || place === undefined)
    return { state: 'off', certificates: 0, waiting: 0, unread: 0 };
  const { certificates, waiting, unread, is_working, failure } = row;
  const state = failure !== null ? 'failing' : is_working || waiting > 0 ? 'working' : 'current';
  return { state, place, certificates, waiting, unread, ...(failure === null ? {} : { failure }) };
}
