import { type RawBuilder, sql } from 'kysely';
import type { Logger } from 'pino';
import { readOwner } from '../../../platform/database/hostname-owners.ts';
import { spendBudgets } from '../../../platform/database/rate-windows.ts';
import type { ScheduledTask } from '../../../platform/jobs/scheduled-tasks.ts';
import { createFaultWarning } from '../../../platform/log/fault-log.ts';
import type { Registry } from '../context.ts';
import { type Checking, checkOwner } from './check-owner.ts';
import { type Contest, decideContest } from './contests.ts';
import { DAY, latestCheck, leaseFrom } from './control-schedule.ts';
import type { DomainProofPorts } from './find-proof.ts';

export interface RunChecksOptions {
  readonly registry: Registry;
  readonly ports: DomainProofPorts;
  readonly logger: Logger;
}

/** Hosts that a node checks at a time. */
const AT_ONCE = 4;
/** Checks in any minute, over all nodes: every proof of two million hosts in time. */
const PER_MINUTE = 240;
const MINUTE = 60;
const HISTORY_DAYS = 400;

/** Checks the owners of hostnames again, decides contests, and deletes old results. */
export function controlTasks(options: RunChecksOptions): readonly ScheduledTask[] {
  const { registry, logger } = options;
  const onFault = createFaultWarning(
    { logger, clock: registry.clock },
    'control of a hostname cannot be checked at the moment; it is tried again',
  );
  return [
    {
      name: 'check control of hostnames',
      every: 10_000,
      run: (signal) => runDueChecks(options, onFault, signal),
    },
    { name: 'purge control checks', every: 3_600_000, run: () => purgeChecks(registry) },
  ];
}

/** Makes all checks that are due, within the budget. Each is claimed by one node. @returns how many */
export async function runDueChecks(
  { registry, ports }: Pick<RunChecksOptions, 'registry' | 'ports'>,
  onFault: (error: unknown) => void,
  signal: AbortSignal,
): Promise<number> {
  const checking: Checking = { registry, ports, reason: 'scheduled', signal };
  let done = 0;
  const work = async () => {
    while (!signal.aborted) {
      const due = (await claimContest(registry)) ?? (await claimOwner(registry));
      if (due === undefined) return;
      const spent = await spendBudgets(registry.db, [{ name: 'control', limit: PER_MINUTE }], MINUTE);
      if (spent !== null) {
        await due.release();
        return;
      }
      await due.check(checking).catch((error: unknown) => {
        if (!signal.aborted) onFault(error);
      });
      done += 1;
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, work));
  return done;
}

/** A check that is due, which this node has claimed. */
interface DueCheck {
  check(checking: Checking): Promise<unknown>;
  release(): Promise<unknown>;
}

async function claimContest(registry: Registry): Promise<DueCheck | undefined> {
  const { db, clock } = registry;
  const [contest] = await claim<Contest>(registry, {
    table: sql`control_contests`,
    key: sql`hostname, store_id`,
    returning: sql`t.hostname, t.store_id as "storeId",
      (select merchant_id from directory where id = t.store_id) as "merchantId"`,
  });
  if (contest === undefined) return undefined;
  const { hostname, storeId } = contest;
  return {
    check: (checking) => decideContest(checking, contest),
    release: () =>
      db
        .updateTable('control_contests')
        .set({ check_at: clock() })
        .where('hostname', '=', hostname)
        .where('store_id', '=', storeId)
        .execute(),
  };
}

async function claimOwner(registry: Registry): Promise<DueCheck | undefined> {
  const { db, clock } = registry;
  const [due] = await claim<{ readonly hostname: string }>(registry, {
    table: sql`hostname_owners`,
    key: sql`hostname`,
    returning: sql`t.hostname`,
  });
  if (due === undefined) return undefined;
  const { hostname } = due;
  return {
    async check(checking) {
      const owner = await readOwner(db, registry.secrets.rows, hostname);
      if (owner !== null) await checkOwner(checking, owner);
    },
    release: () =>
      db.updateTable('hostname_owners').set({ check_at: clock() }).where('hostname', '=', hostname).execute(),
  };
}

/**
 * The row that is due longest, of which no other node may begin a check during the lease. A time further away than any that
 * is written here was written by somebody else, and the check is due now.
 */
async function claim<Row>(
  { db, clock }: Registry,
  { table, key, returning }: Readonly<Record<'table' | 'key' | 'returning', RawBuilder<unknown>>>,
): Promise<Row[]> {
  const now = clock();
  const { rows } = await sql<Row>`
    update ${table} t set check_at = ${leaseFrom(now)} where (${key}) = (
      select ${key} from ${table} where check_at <= ${now} or check_at > ${latestCheck(now)} order by check_at limit 1 for update skip locked)
    returning ${returning}`.execute(db);
  return rows;
}

/** @returns how many were deleted */
export async function purgeChecks({ db, clock }: Registry): Promise<number> {
  const until = new Date(clock().getTime() - HISTORY_DAYS * DAY);
  const { numDeletedRows } = await db
    .deleteFrom('control_checks')
    .where('checked_at', '<', until)
    .executeTakeFirst();
  return Number(numDeletedRows);
}
