import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { openCertificates } from './certificates/open-certificates.ts';
import { openChains } from './images/nft/open-chains.ts';
import { openImages } from './images/open-images.ts';
import { countImages } from './images/scan-progress.ts';
import { createGetJwks } from './keys/get-jwks.ts';
import { findMasterKey } from './keys/master-key.ts';
import { openKeys } from './keys/open-keys.ts';
import { openPageChecks } from './page-checks/open-page-checks.ts';
import { listenForChanges } from './platform/cache/change-listener.ts';
import { createChangeHub } from './platform/cache/changes.ts';
import type { Clock } from './platform/clock.ts';
import { openStorage, type Storage } from './platform/database/open-storage.ts';
import { createReadiness, type Readiness } from './platform/health/readiness.ts';
import { buildHttpServer } from './platform/http/http-server.ts';
import { createIdempotencyStore } from './platform/http/idempotency-store.ts';
import { claimPort, drain, isOpenToOthers, listen, localUrl } from './platform/http/listen.ts';
import { type ScheduledTask, startScheduledTasks } from './platform/jobs/scheduled-tasks.ts';
import { Closers } from './platform/lifecycle/closers.ts';
import { asFolderError } from './platform/lifecycle/start-error.ts';
import { createFaultLog } from './platform/log/fault-log.ts';
import { createLogger } from './platform/log/logger.ts';
import { createMetrics, type Metrics } from './platform/metrics/metrics.ts';
import { openFetchers } from './platform/network/fetchers.ts';
import { type Config, masterKeyPlace } from './platform/settings/config.ts';
import { authenticate } from './registry/api-keys/api-keys.ts';
import { ensureOperatorKey } from './registry/api-keys/operator-key.ts';
import { openChanges } from './registry/changes/open-changes.ts';
import type { Registry } from './registry/context.ts';
import { domainProofPorts } from './registry/domains/proof-ports.ts';
import { buildRoutes } from './routes.ts';
import type { Overrides, RunningService } from './running-service.ts';
import { openTools } from './tools/open-tools.ts';
import { openVerification } from './verification/open-verification.ts';

/** Milliseconds that requests under way may take when the service is closed. */
const DRAIN = 10_000;
/** Milliseconds to wait at start until changes of other nodes are received; after that it starts all the same. */
const LISTENER_PATIENCE = 5_000;
const MINUTE = 60_000;
const DAY = 86_400_000;
/** Facts for verifying are small: this share of the memory for certificates holds some hundred thousand products. */
const FACTS_SHARE = 4;
/** Milliseconds after which nobody is writing a blob any more, on any node: far more than an image may take. */
const HALF_WRITTEN = 60 * MINUTE;

/** What every part of a node is given. */
interface Node {
  readonly config: Config;
  readonly overrides: Overrides;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  /** What is opened is added here, and closed in reverse order. */
  readonly closers: Closers;
  /** Where it listens. */
  readonly url: string;
  readonly baseUrl: string;
  readonly mcpUrl: string;
  readonly namespaceUrl: string;
}

/**
 * Starts a whole node: database, keys, use cases, HTTP. On failure everything opened so far is closed again.
 *
 * @throws StartError for what an operator can mend
 */
export async function startService(config: Config, overrides: Overrides = {}): Promise<RunningService> {
  const logger = createLogger(config.logLevel, overrides.logDestination);
  const closers = new Closers((name, error) => logger.warn({ err: error }, `closing the ${name} failed`));
  try {
    const port = await claimPort(config.host, config.port);
    const url = localUrl(config.host, port);
    const baseUrl = config.baseUrl ?? url;
    const node = {
      config,
      overrides,
      clock: overrides.clock ?? (() => new Date()),
      logger,
      metrics: createMetrics(),
      closers,
      url,
      baseUrl,
      mcpUrl: config.mcpUrl ?? baseUrl,
      namespaceUrl: config.namespaceUrl ?? `${baseUrl}/ns#`,
    };
    warnOfSettings(node);
    return await openNode(node, port);
  } catch (error) {
    await closers.closeAll();
    const dataFolder = { path: config.dataDir, name: 'data folder', setting: 'TOUCHSTONE_DATA_DIR' };
    throw await asFolderError(error, dataFolder);
  }
}

function warnOfSettings({ config, logger, baseUrl }: Node): void {
  if (config.unknown.length > 0) logger.warn({ settings: config.unknown }, 'settings that mean nothing here');
  if (config.baseUrl !== undefined || !isOpenToOthers(config.host)) return;
  logger.warn(
    { issuer: baseUrl },
    'TOUCHSTONE_BASE_URL is not set: certificates name as their issuer an address that others may not reach; ' +
      'set it before certificates go out',
  );
}

async function openNode(node: Node, port: number): Promise<RunningService> {
  const { config, overrides, clock, logger, closers, url, baseUrl } = node;
  const failure = Promise.withResolvers<Error>();
  const storage = await openStorage({ ...node, durable: overrides.durable, onLost: failure.resolve });
  const parts = await openParts(node, storage);
  closers.add('scheduled tasks', startScheduledTasks(scheduledTasks(node, parts), logger).close);
  const readiness = createReadiness({
    db: storage.db,
    clock,
    isFresh: () => parts.listener.isProven(),
    keysAtHand: () => parts.keys.signer(),
  });
  const app = openHttp(node, parts, readiness);
  await parts.listener.whenProven(AbortSignal.timeout(LISTENER_PATIENCE)).catch(() => {
    logger.warn('changes of other nodes are not received yet; answers come from the database until they are');
  });
  // last of what can be refused: a key made at a start that then fails would never be shown
  const operator = await ensureOperatorKey(config, storage.db, clock());
  await listen(app, config.host, port);
  closers.add('HTTP server', () => drain(app, DRAIN));
  await storage.embedded?.setAddress(url);
  logger.info({ url, baseUrl, database: storage.embedded ? config.dataDir : 'DATABASE_URL' }, 'ready');
  return {
    url,
    baseUrl,
    failed: failure.promise,
    ...operator,
    async close() {
      readiness.startDraining();
      await closers.closeAll();
      logger.info('closed');
    },
  };
}

type Parts = Awaited<ReturnType<typeof openParts>>;

/** The capabilities, from the one that the others stand on, and what runs beside requests. */
async function openParts(node: Node, storage: Storage) {
  const { config, overrides, clock, logger, metrics, closers, baseUrl, namespaceUrl } = node;
  const { db, connection } = storage;
  const changes = createChangeHub();
  const listener = listenForChanges({
    connection,
    hub: changes,
    onLost: createFaultLog(
      (err, times) => logger.warn({ err, times }, 'the connection that receives changes was lost'),
      clock,
    ),
  });
  closers.add('change listener', () => listener.close());
  const registry: Registry = { db, clock, onChange: (changed) => changed.forEach(changes.publish) };
  const countRegistryChanges = await openChanges({ ...node, registry, storage, changes });
  const caching = { hub: changes, freshness: listener };
  const keys = await openKeys({
    db,
    clock,
    masterKey: await findMasterKey(db, masterKeyPlace(config)),
    policy: { rotateEvery: config.signingRotateDays * DAY },
    caching,
  });
  const certificates = openCertificates({
    db,
    clock,
    keys,
    addresses: { baseUrl, namespaceUrl },
    caching,
    cacheBytes: config.certificateCacheBytes,
    onSignature: metrics.onSignature,
    onAnswer: metrics.onCertificateAnswer,
  });
  const verification = openVerification({
    db,
    clock,
    keys,
    snapshots: certificates.snapshots,
    proofs: certificates.proofs,
    addresses: { baseUrl, namespaceUrl },
    formerIssuers: config.formerBaseUrls,
    caching,
    cacheBytes: config.certificateCacheBytes / FACTS_SHARE,
    requireVerifiedDomain: config.requireVerifiedDomain,
  });
  const fetchers = await openFetchers(config.fetch, overrides, baseUrl);
  const images = await openImages({ ...node, storage, fetcher: fetchers.images, changes });
  const pageChecks = openPageChecks({
    ...node,
    db,
    fetcher: fetchers.pages,
    imageFetcher: fetchers.images,
    imageWorkers: images.workers,
    verifyProduct: verification.verifyProduct,
    productFacts: verification.productFacts,
    readSigned: verification.readSigned,
  });
  const idempotency = createIdempotencyStore(db, clock);
  return {
    db,
    changes,
    registry,
    countRegistryChanges,
    listener,
    keys,
    certificates,
    verification,
    fetchers,
    images,
    pageChecks,
    idempotency,
  };
}

/** Upkeep that may miss a run. */
function scheduledTasks(
  { clock, metrics }: Node,
  { db, countRegistryChanges, keys, certificates, images, pageChecks, idempotency }: Parts,
): ScheduledTask[] {
  return [
    { name: 'rotate signing keys', every: 60 * MINUTE, run: () => keys.rotate() },
    { name: 'purge expired proofs', every: 60 * MINUTE, run: () => certificates.purge() },
    { name: 'purge idempotency keys', every: 30 * MINUTE, run: () => idempotency.purge() },
    {
      name: 'purge half-written blobs',
      every: 30 * MINUTE,
      run: () => images.blobs.purge(new Date(clock().getTime() - HALF_WRITTEN)),
    },
    countRegistryChanges,
    countImages({ db, clock, metrics }, images.running),
    { name: 'purge page checks', every: 5 * MINUTE, run: () => pageChecks.purge() },
  ];
}

function openHttp(node: Node, parts: Parts, readiness: Readiness): FastifyInstance {
  const { config, overrides, clock, logger, metrics, baseUrl } = node;
  const { db, changes, registry, keys, fetchers, images } = parts;
  const getJwks = createGetJwks({ keys, clock, hub: changes });
  const useCases = { ...parts.certificates, ...parts.verification, ...parts.pageChecks.useCases, getJwks };
  const routes = buildRoutes({
    publicSide: useCases,
    batch: { baseUrl, onItemFault: (error) => logger.error({ err: error }, 'an item of a batch failed') },
    blobs: images.blobs,
    registry,
    keys: { ...keys, getJwks },
    domainProof: domainProofPorts(fetchers.texts, overrides.resolveTxt),
    chains: openChains(config.nftChains, config.nftConfirmations),
    health: { problems: readiness.problems, renderMetrics: metrics.render },
    addresses: node,
    tools: openTools(useCases, node),
  });
  return buildHttpServer({
    routes,
    baseUrl,
    logger,
    authenticate: (key) => authenticate(db, key),
    idempotency: parts.idempotency,
    trustProxy: config.trustProxy,
    onRequestDone: metrics.onRequest,
    timeouts: overrides.timeouts,
  });
}
