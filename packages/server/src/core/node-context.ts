import type { Addresses } from '@touchstone/certificate/issue';
import { type ChangeListener, listenForChanges } from '../platform/cache/change-listener.ts';
import { announcedIn, createChangeHub } from '../platform/cache/changes.ts';
import type { FreshCacheOptions } from '../platform/cache/fresh-cache.ts';
import { addChangeWay, openPolling } from '../platform/cache/poll-changes.ts';
import type { Database } from '../platform/database/database.ts';
import { lockByRows } from '../platform/database/locks.ts';
import { openPool } from '../platform/database/open-pool.ts';
import { watchDueJobs } from '../platform/jobs/due-jobs.ts';
import type { WorkerContext } from '../platform/jobs/open-worker.ts';
import { type BackgroundPace, createBackgroundPace } from '../platform/limits/background-pace.ts';
import { createFaultWarning } from '../platform/log/fault-log.ts';
import { createMetrics, type Metrics } from '../platform/metrics/metrics.ts';
import type { DatabaseSecrets } from '../platform/secrets/database-secrets.ts';
import type { RefusedRows } from '../platform/secrets/refused-rows.ts';
import { openSecrets } from './keys/open-secrets.ts';
import type { Place, Start } from './prepare.ts';
import type { Emit } from './registry/events.ts';
import { releaseAbandonedWork } from './release-abandoned-work.ts';

/** The relation of a node to the other nodes and processes of its service. */
export interface NodeRole {
  /** Whether no other node can be running jobs. */
  readonly isOnlyNode?: boolean;
  /** The number of this process, and of all processes, if a supervisor runs several. */
  readonly number?: number;
  readonly processes?: number;
  /** The commit that runs, if it is known. */
  readonly commit?: string | undefined;
  /** The metrics of all processes. Default: those of this one. */
  readonly renderMetrics?: () => Promise<string>;
}

/** What the core and all parts share on one node. */
export interface NodeContext extends Start, Omit<Place, 'connection'>, WorkerContext {
  readonly db: Database;
  readonly secrets: DatabaseSecrets;
  readonly refusedRows: RefusedRows;
  /** Announces changes, and whether none has been missed. */
  readonly caching: Pick<FreshCacheOptions, 'hub' | 'freshness'>;
  readonly listener: ChangeListener;
  /** Has the core and the parts follow what happens in the core. */
  readonly emit: Emit;
  readonly pace: BackgroundPace;
  readonly metrics: Metrics;
  /** The commit that runs; absent if it is not known. */
  readonly commit?: string | undefined;
  /** The metrics of all processes, in Prometheus text format. */
  readonly renderMetrics: () => Promise<string>;
  /** Number of processes that share the limits of the service. */
  readonly processes: number;
  readonly mcpUrl: string;
  readonly namespaceUrl: string;
  /** The addresses in certificates. */
  readonly addresses: Addresses;
}

/** Opens the shared parts of a node: connections, change notifications, metrics. */
export async function openNodeContext(
  start: Start,
  place: Place,
  role: NodeRole,
  emit: Emit,
): Promise<NodeContext> {
  const { config, closers } = start;
  const { connection, ...address } = place;
  const metrics = createMetrics(role.number?.toString(), role.commit);
  const changes = createChangeHub();
  const { db, abandon } = openPool({
    ...start,
    connection,
    metrics,
    max: config.databaseConnections,
    onNotify: (payloads) => changes.begin(announcedIn(payloads)),
  });
  if (role.isOnlyNode === true) await releaseAbandonedWork(db);
  const { secrets, refusedRows } = await openSecrets({ ...start, db, metrics });
  const due = watchDueJobs({ ...start, db });
  await addChangeWay(db, config.changesBy);
  if (config.locksBy === 'rows') await lockByRows(db);
  const listener = listenForChanges({
    connection,
    hub: changes,
    ...(config.changesBy === 'poll' ? { open: openPolling } : {}),
    staleFor: config.staleSeconds * 1_000,
    onUnreachable: abandon,
    onLost: createFaultWarning(start, 'the connection that receives changes was lost'),
  });
  closers.add('change listener', () => listener.close());
  const { baseUrl } = place;
  const namespaceUrl = config.namespaceUrl ?? `${baseUrl}/ns#`;
  return {
    ...start,
    ...address,
    db,
    secrets,
    refusedRows,
    due,
    changes,
    caching: { hub: changes, freshness: listener },
    listener,
    emit,
    pace: createBackgroundPace(),
    metrics,
    commit: role.commit,
    renderMetrics: role.renderMetrics ?? metrics.render,
    processes: role.processes ?? 1,
    mcpUrl: config.mcpUrl ?? baseUrl,
    namespaceUrl,
    addresses: { baseUrl, namespaceUrl },
  };
}
