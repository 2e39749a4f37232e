import type { FastifyInstance } from 'fastify';
import type { Logger } from 'pino';
import { type Certificates, openCertificates } from './certificates/open-certificates.ts';
import { openChains } from './images/nft/open-chains.ts';
import { openImages } from './images/open-images.ts';
import { countImages } from './images/scan-progress.ts';
import { createGetJwks, type GetJwks } from './keys/get-jwks.ts';
import { findMasterKey } from './keys/master-key.ts';
import { openKeys, type SigningKeys } from './keys/open-keys.ts';
import { openPageChecks } from './page-checks/open-page-checks.ts';
import { type ChangeListener, listenForChanges } from './platform/cache/change-listener.ts';
import { type ChangeHub, createChangeHub } from './platform/cache/changes.ts';
import type { Clock } from './platform/clock.ts';
import { openStorage, type Storage } from './platform/database/open-storage.ts';
import { createReadiness, type Readiness } from './platform/health/readiness.ts';
import { drain } from './platform/http/drain.ts';
import { buildHttpServer } from './platform/http/http-server.ts';
import { createIdempotencyStore } from './platform/http/idempotency-store.ts';
import { asListenError, claimPort, isOpenToOthers, localUrl } from './platform/http/listen-address.ts';
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
import { domainProofPorts } from './registry/domains/proof-ports.ts';
import { buildRoutes } from './routes.ts';
import type { Overrides, RunningService } from './running-service.ts';
import { openTools } from './tools/open-tools.ts';
import { openVerification, type Verification } from './verification/open-verification.ts';

/** Milliseconds that requests under way may take when the service is closed. */
const DRAIN = 10_000;
/** Milliseconds to wait at start until changes of other nodes are heard; after that it starts all the same. */
const LISTENER_PATIENCE = 5_000;
const MINUTE = 60_000;
const DAY = 86_400_000;
/** Facts for verifying are small: this share of the memory for certificates holds some hundred thousand products. */
const FACTS_SHARE = 4;
/** Milliseconds after which nobody is writing a blob any more, on any node: far more than an image may take. */
const HALF_WRITTEN = 60 * MINUTE;

/** What the parts of a starting service share. */
interface Starting {
  readonly config: Config;
  readonly overrides: Overrides;
  readonly clock: Clock;
  readonly logger: Logger;
  readonly metrics: Metrics;
  readonly closers: Closers;
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
    const clock = overrides.clock ?? (() => new Date());
    const metrics = createMetrics();
    const baseUrl = config.baseUrl ?? url;
    const namespaceUrl = config.namespaceUrl ?? `${baseUrl}/ns#`;
    const parts = { config, overrides, clock, logger, metrics, closers };
    const mcpUrl = config.mcpUrl ?? baseUrl;
    return await open({ ...parts, url, baseUrl, mcpUrl, namespaceUrl }, port);
  } catch (error) {
    await closers.closeAll();
    const dataFolder = { path: config.dataDir, name: 'data folder', setting: 'TOUCHSTONE_DATA_DIR' };
    throw await asFolderError(error, dataFolder);
  }
}

async function open(starting: Starting, port: number): Promise<RunningService> {
  const { config, clock, logger, closers, url, baseUrl } = starting;
  if (config.unknown.length > 0) logger.warn({ settings: config.unknown }, 'settings that mean nothing here');
  if (config.baseUrl === undefined && isOpenToOthers(config.host)) {
    logger.warn(
      { issuer: baseUrl },
      'TOUCHSTONE_BASE_URL is not set: certificates name as their issuer an address that others may not reach; ' +
        'set it before certificates go out',
    );
  }
  const failure = Promise.withResolvers<Error>();
  const storage = await openStorage({
    ...starting,
    ...durability(starting.overrides),
    onLost: failure.resolve,
  });
  const certificates = await openCertificateSide(starting, storage);
  const readiness = createReadiness({
    db: storage.db,
    clock,
    isFresh: () => certificates.listener.isProven(),
    keysAtHand: () => certificates.keys.signer(),
  });
  const app = await openHttp(starting, storage, certificates, readiness);
  await certificates.listener.whenProven(AbortSignal.timeout(LISTENER_PATIENCE)).catch(() => {
    logger.warn('changes of other nodes are not heard yet; answers come from the database until they are');
  });
  // last of what can be refused: a key made at a start that then fails would never be shown
  const operator = await ensureOperatorKey(config, storage.db, clock());
  await app.listen({ host: config.host, port }).catch((error: unknown) => {
    throw asListenError(error, config.host, port);
  });
  closers.add('HTTP server', () => drain(app, DRAIN));
  await storage.embedded?.setAddress(url);
  logger.info(
    { url, baseUrl, database: storage.embedded === undefined ? 'DATABASE_URL' : config.dataDir },
    'ready',
  );
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

/** Keys, certificates and their verification, each kept in memory while no change was missed. */
interface CertificateSide extends Certificates, Verification {
  readonly keys: SigningKeys;
  readonly getJwks: GetJwks;
  /** Whoever writes on this node publishes its changes here right after its commit. */
  readonly changes: ChangeHub;
  readonly listener: ChangeListener;
}

async function openCertificateSide(starting: Starting, storage: Storage): Promise<CertificateSide> {
  const { config, clock, logger, metrics, closers, baseUrl, namespaceUrl } = starting;
  const { db, connection } = storage;
  const changes = createChangeHub();
  const listener = listenForChanges({
    connection,
    hub: changes,
    onLost: createFaultLog(
      (err, times) => logger.warn({ err, times }, 'the connection that hears changes was lost'),
      clock,
    ),
  });
  closers.add('change listener', () => listener.close());
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
    proofs: certificates.proofs,
    issuer: baseUrl,
    formerIssuers: config.formerBaseUrls,
    caching,
    cacheBytes: config.certificateCacheBytes / FACTS_SHARE,
    requireVerifiedDomain: config.requireVerifiedDomain,
  });
  return { ...certificates, ...verification, keys, getJwks: createGetJwks({ keys }), changes, listener };
}

async function openHttp(
  starting: Starting,
  storage: Storage,
  certificates: CertificateSide,
  readiness: Readiness,
): Promise<FastifyInstance> {
  const { config, overrides, clock, logger, metrics, closers, baseUrl } = starting;
  const { db } = storage;
  const idempotency = createIdempotencyStore(db, clock);
  const fetchers = await openFetchers(config.fetch, overrides, baseUrl);
  const { verifyProduct } = certificates;
  const images = await openImages({
    ...starting,
    storage,
    fetcher: fetchers.images,
    changes: certificates.changes,
  });
  const pageChecks = openPageChecks({
    ...starting,
    db,
    fetcher: fetchers.pages,
    imageFetcher: fetchers.images,
    imageWorkers: images.workers,
    verifyProduct,
  });
  const useCases = { ...certificates, ...pageChecks.useCases };
  const tasks: ScheduledTask[] = [
    { name: 'rotate signing keys', every: 60 * MINUTE, run: () => certificates.keys.rotate() },
    { name: 'purge expired proofs', every: 60 * MINUTE, run: () => certificates.purge() },
    { name: 'purge idempotency keys', every: 30 * MINUTE, run: () => idempotency.purge() },
    {
      name: 'purge half-written blobs',
      every: 30 * MINUTE,
      run: () => images.blobs.purge(new Date(clock().getTime() - HALF_WRITTEN)),
    },
    countImages({ ...starting, db }, images.running),
    { name: 'purge page checks', every: 5 * MINUTE, run: () => pageChecks.purge() },
  ];
  const scheduled = startScheduledTasks(tasks, logger);
  closers.add('scheduled tasks', () => scheduled.close());
  return buildHttpServer({
    routes: buildRoutes({
      publicSide: useCases,
      batch: { baseUrl, onItemFault: (error) => logger.error({ err: error }, 'an item of a batch failed') },
      blobs: images.blobs,
      registry: {
        db,
        clock,
        onChange: (changes) => changes.forEach(certificates.changes.publish),
      },
      keys: { ...certificates.keys, getJwks: certificates.getJwks },
      domainProof: domainProofPorts(fetchers.texts, overrides.resolveTxt),
      chains: openChains(config.nftChains, config.nftConfirmations),
      health: { troubles: readiness.troubles, renderMetrics: metrics.render },
      addresses: starting,
      tools: openTools(useCases, starting),
    }),
    baseUrl,
    logger,
    authenticate: (key) => authenticate(db, key),
    idempotency,
    trustProxy: config.trustProxy,
    onRequestDone: metrics.onRequest,
    ...(overrides.timeouts === undefined ? {} : { timeouts: overrides.timeouts }),
  });
}

function durability({ durable }: Overrides): { durable?: boolean } {
  return durable === undefined ? {} : { durable };
}
