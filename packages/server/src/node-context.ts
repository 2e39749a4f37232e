import type { Addresses } from '@touchstone/certificate/issue';
import { type ChangeListener, listenForChanges } from './platform/cache/change-listener.ts';
import { createChangeHub } from './platform/cache/changes.ts';
import type { FreshCacheOptions } from './platform/cache/fresh-cache.ts';
import type { Database } from './platform/database/database.ts';
import { openPool } from './platform/database/open-pool.ts';
import { watchDueJobs } from './platform/jobs/due-jobs.ts';
import type { WorkerContext } from './platform/jobs/open-worker.ts';
import { type BackgroundPace, createBackgroundPace } from './platform/limits/background-pace.ts';
import { createFaultWarning } from './platform/log/fault-log.ts';
import { createMetrics, type Metrics } from './platform/metrics/metrics.ts';
import type { Place, Start } from './prepare.ts';
import { releaseAbandonedWork } from './release-abandoned-work.ts';

/** How a node stands to the others of its service. */
export interface NodeRole {
  /** No other node can be running any job. */
  readonly isOnlyNode?: boolean;
  /** Which of how many processes of one service this is, if another one watches over them. */
  readonly number?: number;
  readonly processes?: number;
  /** What all processes counted; what this one counted unless told. */
  readonly renderMetrics?: () => Promise<string>;
}

/** What each capability of a node may use: one process that answers, on its own or beside others. */
export interface NodeContext extends Start, Omit<Place, 'connection'>, WorkerContext {
  readonly db: Database;
  /** What of copies in memory is outdated, and whether that is known at the moment. */
  readonly caching: Pick<FreshCacheOptions, 'hub' | 'freshness'>;
  readonly listener: ChangeListener;
  readonly pace: BackgroundPace;
  readonly metrics: Metrics;
  /** Of all processes, in Prometheus text format. */
  readonly renderMetrics: () => Promise<string>;
  /** That share what the service may take. */
  readonly processes: number;
  readonly mcpUrl: string;
  readonly namespaceUrl: string;
  /** As they stand in certificates. */
  readonly addresses: Addresses;
}

/** Opens what a node has whatever it is capable of: connections, changes of others, metrics. */
export async function openNodeContext(start: Start, place: Place, role: NodeRole): Promise<NodeContext> {
  const { config, closers } = start;
  const { connection, ...address } = place;
  const metrics = createMetrics(role.number?.toString());
  const { db } = openPool({ ...start, connection, metrics, max: config.databaseConnections });
  if (role.isOnlyNode === true) await releaseAbandonedWork(db);
  const due = watchDueJobs({ ...start, db });
  const changes = createChangeHub();
  const listener = listenForChanges({
    connection,
    hub: changes,
    onLost: createFaultWarning(start, 'the connection that receives changes was lost'),
  });
  closers.add('change listener', () => listener.close());
  const { baseUrl } = place;
  const namespaceUrl = config.namespaceUrl ?? `${baseUrl}/ns#`;
  return {
    ...start,
    ...address,
    db,
    due,
    changes,
    caching: { hub: changes, freshness: listener },
    listener,
    pace: createBackgroundPace(),
    metrics,
    renderMetrics: role.renderMetrics ?? metrics.render,
    processes: role.processes ?? 1,
    mcpUrl: config.mcpUrl ?? baseUrl,
    namespaceUrl,
    addresses: { baseUrl, namespaceUrl },
  };
}
