import { VERSION } from '@touchstone/certificate';
import { openCapabilities } from './capabilities.ts';
import { openHttp } from './http.ts';
import { type NodeRole, openNodeContext } from './node-context.ts';
import type { Database } from './platform/database/database.ts';
import { openHeartbeat } from './platform/health/node-heartbeat.ts';
import { createReadiness } from './platform/health/readiness.ts';
import { drain, listen } from './platform/http/listen.ts';
import { startScheduledTasks } from './platform/jobs/scheduled-tasks.ts';
import type { BackgroundPace } from './platform/limits/background-pace.ts';
import type { Metrics } from './platform/metrics/metrics.ts';
import type { DatabaseSecrets } from './platform/secrets/database-secrets.ts';
import type { Place, Start } from './prepare.ts';

/** Milliseconds for requests in progress to finish when the service is closed. */
const DRAIN = 10_000;
/** Milliseconds to wait at start until changes of other nodes are received; the node then starts anyway. */
const LISTENER_PATIENCE = 5_000;

/** A node that is ready to answer. */
export interface OpenNode {
  readonly db: Database;
  readonly secrets: DatabaseSecrets;
  readonly metrics: Metrics;
  readonly pace: BackgroundPace;
  listen(): Promise<void>;
  /** Finishes requests in progress (for 10 s at most) and closes everything. */
  close(): Promise<void>;
}

/** Opens everything that one process needs to answer. */
export async function openNode(start: Start, place: Place, role: NodeRole): Promise<OpenNode> {
  const { config, logger, closers } = start;
  const node = await openNodeContext(start, place, role);
  const { db, clock, listener, metrics, pace, secrets, refusedRows } = node;
  const capabilities = await openCapabilities(node);
  const readiness = createReadiness({
    db,
    clock,
    whenFresh: (signal) => listener.whenProven(signal),
    checkKeys: () => capabilities.keys.proofs.signer(),
    findings: refusedRows.findings,
  });
  const { app, tasks } = openHttp(node, capabilities, readiness);
  const heartbeat = () => openHeartbeat({ ...node, version: VERSION, ...readiness });
  // the others once per service, not per process
  const isFirst = role.number === undefined || role.number === 1;
  const ofService = isFirst ? [...capabilities.tasks, ...tasks, heartbeat()] : [];
  const started = startScheduledTasks([refusedRows.task(db, secrets.rows), ...ofService], logger);
  closers.add('scheduled tasks', started.close);
  await listener.whenProven(AbortSignal.timeout(LISTENER_PATIENCE)).catch(() => {
    logger.warn('changes of other nodes are not received yet; answers come from the database until they are');
  });
  return {
    db,
    secrets,
    metrics,
    pace,
    async listen() {
      await listen(app, config.host, place.port);
      closers.add('HTTP server', () => drain(app, DRAIN));
    },
    async close() {
      readiness.startDraining();
      await closers.closeAll();
    },
  };
}
