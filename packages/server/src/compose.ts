import { VERSION } from '@touchstone/certificate';
import { CORE_OPERATIONS, type Operation } from '@touchstone/contract';
import { absentRoutes } from './core/absent-routes.ts';
import type { StatusEntries } from './core/certificates/status-entries.ts';
import { type NamespaceAddresses, ownNamespacePaths } from './core/docs/discovery-routes.ts';
import { type NodeRole, openNodeContext } from './core/node-context.ts';
import { type OpenCore, openCore } from './core/open-core.ts';
import type { OpenPart, Part } from './core/part.ts';
import type { Place, Start } from './core/prepare.ts';
import { authenticate } from './core/registry/api-keys/api-keys.ts';
import type { Emit } from './core/registry/events.ts';
import { emitterOf, PARTS, presentParts } from './parts.ts';
import type { Database } from './platform/database/database.ts';
import { openHeartbeat } from './platform/health/node-heartbeat.ts';
import { buildHttpServer } from './platform/http/http-server.ts';
import { createIdempotencyStore } from './platform/http/idempotency-store.ts';
import { drain, listen } from './platform/http/listen.ts';
import type { Route } from './platform/http/route.ts';
import { openWorker } from './platform/jobs/open-worker.ts';
import { startScheduledTasks } from './platform/jobs/scheduled-tasks.ts';
import { StartError } from './platform/lifecycle/start-error.ts';
import type { BackgroundPace } from './platform/limits/background-pace.ts';
import type { Metrics } from './platform/metrics/metrics.ts';
import type { DatabaseSecrets } from './platform/secrets/database-secrets.ts';

/** Milliseconds for requests in progress to finish when the service is closed. */
const DRAIN = 10_000;
/** Milliseconds to wait at start until changes of other nodes are received; the node then starts anyway. */
const LISTENER_PATIENCE = 5_000;
const DAY = 86_400_000;

/** A node, that is, one process that answers requests, before it listens. */
export interface OpenNode {
  readonly db: Database;
  readonly secrets: DatabaseSecrets;
  readonly metrics: Metrics;
  readonly emit: Emit;
  readonly pace: BackgroundPace;
  listen(): Promise<void>;
  /** Is not ready, accepts requests for as long as the settings say, finishes them (for 10 s at most) and closes everything. */
  close(): Promise<void>;
}

/** Opens everything that one process needs to answer: the core in its order, then the parts of the list. */
export async function openNode(start: Start, place: Place, role: NodeRole): Promise<OpenNode> {
  const { config, logger, closers } = start;
  const parts = presentParts(config);
  const emit = emitterOf(config);
  const node = await openNodeContext(start, place, role, emit);
  const operations = [...CORE_OPERATIONS, ...parts.flatMap((part) => part.operations)];
  const present = {
    operations: parts.some(({ servesPages }) => servesPages === true)
      ? operations
      : operations.map(withoutPage),
    pages: parts.flatMap(({ pages = [] }) => pages),
  };
  const givesEntries = parts.some((part) => part.givesStatusEntries === true);
  const entries = Promise.withResolvers<StatusEntries>();
  const proofLog = parts.find((part) => part.proofLog !== undefined)?.proofLog?.(node);
  const knownSites = parts.find((part) => part.knownSites !== undefined)?.knownSites?.(node);
  const openPictures = parts.find((part) => part.pagePictures !== undefined)?.pagePictures;
  const openItems = parts.find((part) => part.verifyItem !== undefined)?.verifyItem;
  const openReceipts = parts.find((part) => part.receipts !== undefined)?.receipts;
  const opened = await openCore(node, present, {
    ...(givesEntries
      ? { statusEntries: { take: async (count: number) => (await entries.promise).take(count) } }
      : {}),
    ...(proofLog === undefined ? {} : { proofLog }),
    ...(knownSites === undefined ? {} : { knownSites }),
    ...(openPictures === undefined ? {} : { openPictures }),
    ...(openItems === undefined ? {} : { openItems }),
    ...(openReceipts === undefined ? {} : { openReceipts }),
  });
  const { core } = opened;
  const openParts: OpenPart[] = [];
  for (const part of parts) openParts.push(await part.open(core));
  for (const { statusEntries } of openParts) if (statusEntries !== undefined) entries.resolve(statusEntries);
  for (const { queues = [] } of openParts) for (const queue of queues) openWorker(node, queue);

  const { app, purge } = openHttp(opened, openParts, parts);
  // the others once per service, not per process
  const isFirst = role.number === undefined || role.number === 1;
  const ofService = () => [
    ...opened.tasks,
    ...openParts.flatMap(({ tasks = [] }) => tasks),
    { name: 'purge idempotency keys', every: DAY / 48, run: purge },
    openHeartbeat({ ...node, version: VERSION, ...core.readiness }),
  ];
  const { refusedRows, listener, db, secrets, metrics, pace } = node;
  const refused = refusedRows.task(db, secrets.rows);
  const started = startScheduledTasks([refused, ...(isFirst ? ofService() : [])], logger);
  closers.add('scheduled tasks', started.close);
  await listener.whenProven(AbortSignal.timeout(LISTENER_PATIENCE)).catch(() => {
    logger.warn('changes of other nodes are not received yet; answers come from the database until they are');
  });
  return {
    db,
    secrets,
    metrics,
    emit,
    pace,
    async listen() {
      await listen(app, config.host, place.port);
      closers.add('HTTP server', () => drain(app, DRAIN, config.shutdownDelay));
    },
    async close() {
      core.readiness.startDraining();
      await closers.closeAll();
    },
  };
}

/** The HTTP server over core and parts, not listening yet. */
function openHttp(
  { core, routes: coreRoutes }: OpenCore,
  openParts: readonly OpenPart[],
  parts: readonly Part[],
): { readonly app: ReturnType<typeof buildHttpServer>; readonly purge: () => Promise<unknown> } {
  const { config, overrides, logger, baseUrl, registry } = core;
  const routes = [...coreRoutes, ...openParts.flatMap((part) => part.routes), ...absentRoutes(PARTS, parts)];
  assertNamespaceIsFree(routes, core);
  const pageFor = openParts.find((part) => part.pageFor !== undefined)?.pageFor;
  const idempotency = createIdempotencyStore(core.db, core.secrets);
  const app = buildHttpServer({
    routes: pageFor === undefined ? routes : routes.map((route) => withPage(route, pageFor)),
    baseUrl,
    logger,
    authenticate: (key) => authenticate(registry, key),
    findSession: openParts.find((part) => part.findSession !== undefined)?.findSession ?? (async () => null),
    idempotency,
    trustProxy: config.trustProxy,
    tracing: core.tracing,
    onRequestDone: (record) => {
      core.pace.onRequest();
      core.due.onRequest();
      core.metrics.onRequest(record);
    },
    timeouts: overrides.timeouts,
    processes: core.processes,
  });
  return { app, purge: () => idempotency.purge() };
}

function withPage(route: Route, pageFor: NonNullable<OpenPart['pageFor']>): Route {
  const pageOf = route.page === true ? pageFor(route.id) : undefined;
  return pageOf === undefined ? route : { ...route, pageOf };
}

/** Described as it is without the part that shows answers to people. */
function withoutPage(operation: Operation): Operation {
  return operation.page === true ? { ...operation, page: false } : operation;
}

/** Refuses two routes with one address: only that of the namespace is configurable. */
function assertNamespaceIsFree(routes: readonly Route[], addresses: NamespaceAddresses): void {
  const served = routes.filter(({ method }) => method === 'GET').map(({ path }) => path);
  for (const path of ownNamespacePaths(addresses)) {
    if (served.filter((other) => other === path).length < 2) continue;
    throw new StartError(
      `TOUCHSTONE_NAMESPACE_URL (${addresses.namespaceUrl}) leads to ${path}, where this service answers something ` +
        'else. Choose another path, or a host of your own.',
    );
  }
}
