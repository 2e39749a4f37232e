import { VERSION } from '@touchstone/certificate';
import type { FastifyInstance } from 'fastify';
import { countDue } from './certificates/issue-progress.ts';
import { openCertificates } from './certificates/open-certificates.ts';
import { openIssuing } from './certificates/open-issuing.ts';
import { openHeartbeat } from './console/node-heartbeat.ts';
import { recordDays } from './console/store-history.ts';
import { endWork } from './end-work.ts';
import { openChains } from './images/nft/open-chains.ts';
import { openImages } from './images/open-images.ts';
import { countImages, foldImageCounts } from './images/scan-progress.ts';
import { createGetJwks } from './keys/get-jwks.ts';
import { createGetKeyDirectory } from './keys/get-key-directory.ts';
import { findMasterKey } from './keys/master-key.ts';
import { openKeys } from './keys/open-keys.ts';
import { openRequestKeys } from './keys/open-request-keys.ts';
import { agentOf, requestSigner } from './keys/sign-request.ts';
import { openPageChecks } from './page-checks/open-page-checks.ts';
import { loadWebBuild } from './pages/web-build.ts';
import { listenForChanges } from './platform/cache/change-listener.ts';
import { createChangeHub } from './platform/cache/changes.ts';
import { createSeal } from './platform/crypto/seal.ts';
import type { Connection, Database, OpenDatabase } from './platform/database/database.ts';
import { openPool } from './platform/database/open-pool.ts';
import { createReadiness, type Readiness } from './platform/health/readiness.ts';
import { buildHttpServer } from './platform/http/http-server.ts';
import { createIdempotencyStore } from './platform/http/idempotency-store.ts';
import { drain, listen } from './platform/http/listen.ts';
import { type DueJobs, watchDueJobs } from './platform/jobs/due-jobs.ts';
import { type ScheduledTask, startScheduledTasks } from './platform/jobs/scheduled-tasks.ts';
import { type BackgroundPace, createBackgroundPace } from './platform/limits/background-pace.ts';
import { createFaultLog } from './platform/log/fault-log.ts';
import { createMetrics, type Metrics } from './platform/metrics/metrics.ts';
import { openFetchers } from './platform/network/fetchers.ts';
import { type Config, masterKeyPlace } from './platform/settings/config.ts';
import { type Place, prepareService, type Start, startOrClose } from './prepare.ts';
import { authenticate } from './registry/api-keys/api-keys.ts';
import { ensureOperatorKey } from './registry/api-keys/operator-key.ts';
import { openChanges } from './registry/changes/open-changes.ts';
import { forgetProducts } from './registry/changes/product-actions.ts';
import type { Registry } from './registry/context.ts';
import { domainProofPorts } from './registry/domains/proof-ports.ts';
import { fillPageKeys } from './registry/products/fill-page-keys.ts';
import { findSession } from './registry/sessions/find-session.ts';
import { purgeSessions } from './registry/sessions/sessions.ts';
import { requestHeadersOf } from './registry/stores/request-headers.ts';
import { buildRoutes } from './routes.ts';
import type { Overrides, RunningService } from './running-service.ts';
import type { ShopifyContext } from './shopify/context.ts';
import { openShopify } from './shopify/open-shopify.ts';
import { openSources } from './sources/open-sources.ts';
import { createNoteCopy } from './sweeps/copies.ts';
import { openSweeps } from './sweeps/open-sweeps.ts';
import { openTools } from './tools/open-tools.ts';
import { openVerification } from './verification/open-verification.ts';
import { openWebhooks } from './webhooks/open-webhooks.ts';

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

/** What every part of a node is given: one process that answers, on its own or beside others. */
interface Node extends Start, Omit<Place, 'connection'> {
  readonly metrics: Metrics;
  readonly database: OpenDatabase;
  readonly connection: Connection;
  readonly due: DueJobs;
  readonly mcpUrl: string;
  readonly namespaceUrl: string;
  /** That share what the service may take. */
  readonly processes: number;
  /** Of all processes, in Prometheus text format. */
  readonly renderMetrics: () => Promise<string>;
}

/** A node that may begin to answer. */
export interface OpenNode {
  readonly db: Database;
  readonly metrics: Metrics;
  readonly pace: BackgroundPace;
  listen(): Promise<void>;
  /** Finishes what is under way (10 s at the most) and closes everything. */
  close(): Promise<void>;
}

/**
 * Starts a whole service in this process: database, keys, use cases, HTTP. On failure everything opened so far is closed
 * again.
 *
 * @throws StartError for what an operator can mend
 */
export async function startService(config: Config, overrides: Overrides = {}): Promise<RunningService> {
  return startOrClose(config, overrides, async (start) => {
    const { place, embedded, lost } = await prepareService(start);
    const { url, baseUrl } = place;
    const node = await openNode(start, place, { isOnlyNode: embedded !== undefined });
    // last of what can be refused: a key made at a start that then fails would never be shown
    const operator = await ensureOperatorKey(config, node.db, start.clock());
    await node.listen();
    await embedded?.setAddress(url);
    start.logger.info({ url, baseUrl, database: embedded ? config.dataDir : 'DATABASE_URL' }, 'ready');
    return {
      url,
      baseUrl,
      failed: lost,
      ...operator,
      async close() {
        await node.close();
        start.logger.info('closed');
      },
    };
  });
}

/** How a node stands to others. */
export interface Company {
  /** No other node can be running any job. */
  readonly isOnlyNode?: boolean;
  /** Which of how many processes of one service this is, if another one watches over them. */
  readonly number?: number;
  readonly processes?: number;
  /** What all processes counted; what this one counted unless told. */
  readonly renderMetrics?: () => Promise<string>;
}

/** Opens everything that one process needs to answer. */
export async function openNode(start: Start, place: Place, company: Company): Promise<OpenNode> {
  const { config, clock, logger, closers } = start;
  const { isOnlyNode = false, number, processes = 1 } = company;
  const metrics = createMetrics(number?.toString());
  const database = openPool({ ...start, ...place, metrics, max: config.databaseConnections });
  if (isOnlyNode) await endWork(database.db);
  const node: Node = {
    ...start,
    ...place,
    metrics,
    database,
    due: watchDueJobs({ ...start, ...database }),
    processes,
    mcpUrl: config.mcpUrl ?? place.baseUrl,
    namespaceUrl: config.namespaceUrl ?? `${place.baseUrl}/ns#`,
    renderMetrics: company.renderMetrics ?? metrics.render,
  };
  const parts = await openParts(node);
  const readiness = createReadiness({
    db: database.db,
    clock,
    whenFresh: (signal) => parts.listener.whenProven(signal),
    keysAtHand: () => parts.keys.signer(),
  });
  // once for all processes
  if (number === undefined || number === 1) {
    const { problems } = readiness;
    const tasks = [
      ...scheduledTasks(node, parts),
      openHeartbeat({ ...node, ...database, version: VERSION, problems }),
    ];
    closers.add('scheduled tasks', startScheduledTasks(tasks, logger).close);
  }
  const app = openHttp(node, parts, readiness);
  await parts.listener.whenProven(AbortSignal.timeout(LISTENER_PATIENCE)).catch(() => {
    logger.warn('changes of other nodes are not received yet; answers come from the database until they are');
  });
  return {
    db: database.db,
    metrics,
    pace: parts.pace,
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

type Parts = Awaited<ReturnType<typeof openParts>>;

/** The capabilities, from the one that the others stand on, and what runs beside requests. */
async function openParts(node: Node) {
  const { config, overrides, clock, logger, metrics, closers, connection, baseUrl, namespaceUrl } = node;
  const { db } = node.database;
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
  const countRegistryChanges = openChanges({ ...node, registry, changes });
  const caching = { hub: changes, freshness: listener };
  const masterKey = await findMasterKey(db, masterKeyPlace(config));
  const policy = { rotateEvery: config.signingRotateDays * DAY };
  const keys = await openKeys({ db, clock, masterKey, policy, caching });
  const seal = createSeal(masterKey);
  const requestKeys = await openRequestKeys({ db, clock, seal, policy, caching });
  const pace = createBackgroundPace();
  const certificates = openCertificates({
    db,
    clock,
    keys,
    addresses: { baseUrl, namespaceUrl },
    caching,
    cacheBytes: config.certificateCacheBytes,
    pace,
    onSignature: metrics.onSignature,
    onIssued: metrics.onIssuedAhead,
    onAnswer: metrics.onCertificateAnswer,
  });
  await openIssuing({ ...node, db, changes, keys, certificates, addresses: { baseUrl, namespaceUrl } });
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
  const agent = config.signRequests ? agentOf(baseUrl) : undefined;
  const signAsOurselves = agent === undefined ? undefined : requestSigner(requestKeys, agent, clock);
  const fetchers = await openFetchers(config.fetch, overrides, {
    baseUrl,
    sign: async (url) => {
      const given = url.protocol === 'https:' && (await requestHeadersOf({ db, clock, seal }, url.hostname));
      return given || ((await signAsOurselves?.(url)) ?? {});
    },
  });
  const images = await openImages({ ...node, db, fetcher: fetchers.images, changes });
  const pageChecks = openPageChecks({
    ...node,
    db,
    fetcher: fetchers.pages,
    imageFetcher: fetchers.images,
    imageWorkers: images.workers,
    verifyProduct: verification.verifyProduct,
    productFacts: verification.productFacts,
    readSigned: verification.readSigned,
    onForeign: createNoteCopy({
      db,
      clock,
      onFault: (err) => logger.warn({ err }, 'a copy could not be noted'),
    }),
  });
  const { catalogues } = fetchers;
  const sources = openSources({ ...node, registry, fetcher: catalogues, readPage: pageChecks.readPage });
  const sweepTasks = openSweeps({ ...node, db, checkPage: pageChecks.useCases.checkPage });
  const webhookTasks = openWebhooks({ ...node, db, client: fetchers.endpoints, seal });
  const shopify: ShopifyContext = {
    registry,
    seal,
    api: fetchers.api,
    exports: fetchers.exports,
    streamCertificates: certificates.streamCertificates,
    baseUrl,
  };
  openShopify({ ...node, ...shopify, changes });
  const idempotency = createIdempotencyStore(db);
  return {
    db,
    changes,
    registry,
    countRegistryChanges,
    listener,
    keys,
    requestKeys,
    getKeyDirectory: createGetKeyDirectory(requestKeys, clock, agent),
    seal,
    certificates,
    pace,
    verification,
    fetchers,
    images,
    pageChecks,
    sources,
    sweepTasks,
    sweeps: { db, clock, ...config.sweeps },
    webhookTasks,
    webhooks: { db, clock, seal, allowHttp: config.webhookHttp },
    shopify,
    idempotency,
  };
}

/** Upkeep that may miss a run. */
function scheduledTasks(
  { clock, metrics }: Node,
  {
    db,
    registry,
    countRegistryChanges,
    keys,
    requestKeys,
    certificates,
    images,
    pageChecks,
    sources,
    sweepTasks,
    webhookTasks,
    idempotency,
  }: Parts,
): ScheduledTask[] {
  return [
    { name: 'rotate signing keys', every: 60 * MINUTE, run: () => keys.rotate() },
    { name: 'rotate keys of requests', every: 60 * MINUTE, run: () => requestKeys.rotate() },
    { name: 'purge expired proofs', every: 60 * MINUTE, run: () => certificates.purge() },
    { name: 'replace certificates dated ahead', every: 5 * MINUTE, run: certificates.orderDatedAhead },
    { name: 'purge sessions', every: 60 * MINUTE, run: () => purgeSessions(registry) },
    { name: 'forget products of changes', every: MINUTE, run: () => forgetProducts(registry) },
    { name: 'note how stores are today', every: 10 * MINUTE, run: () => recordDays(registry) },
    { name: 'purge idempotency keys', every: 30 * MINUTE, run: () => idempotency.purge() },
    {
      name: 'purge half-written blobs',
      every: 30 * MINUTE,
      run: () => images.blobs.purge(new Date(clock().getTime() - HALF_WRITTEN)),
    },
    countRegistryChanges,
    { name: 'make missing page keys', every: 10_000, run: () => fillPageKeys(db) },
    countDue({ db, metrics }),
    countImages({ db, clock, metrics }, images.running),
    foldImageCounts(db),
    ...sources.tasks,
    { name: 'purge page checks', every: 5 * MINUTE, run: () => pageChecks.purge() },
    ...sweepTasks,
    ...webhookTasks,
  ];
}

function openHttp(node: Node, parts: Parts, readiness: Readiness): FastifyInstance {
  const { config, overrides, clock, logger, metrics, baseUrl, processes } = node;
  const { changes, registry, keys, fetchers, images } = parts;
  const getJwks = createGetJwks({ keys, clock, hub: changes });
  const useCases = { ...parts.certificates, ...parts.verification, ...parts.pageChecks.useCases, getJwks };
  const routes = buildRoutes({
    publicSide: useCases,
    batch: { baseUrl, onItemFault: (error) => logger.error({ err: error }, 'an item of a batch failed') },
    blobs: images.blobs,
    registry,
    keys: {
      getJwks,
      getKeyDirectory: parts.getKeyDirectory,
      kept: { proofs: keys, requests: parts.requestKeys },
    },
    rotation: {
      policy: { rotateEvery: config.signingRotateDays * DAY },
      listKeys: { proofs: keys.list, requests: parts.requestKeys.list },
    },
    seal: parts.seal,
    sweeps: parts.sweeps,
    webhooks: parts.webhooks,
    domainProof: domainProofPorts(fetchers.texts, overrides.resolveTxt),
    shopify: parts.shopify,
    chains: openChains(config.nftChains, config.nftConfirmations),
    sources: { ...parts.sources, isDraining: readiness.isDraining },
    health: { problems: readiness.problems, renderMetrics: node.renderMetrics },
    addresses: node,
    issuer: { baseUrl: node.baseUrl, formerBaseUrls: config.formerBaseUrls },
    web: loadWebBuild(),
    tools: openTools(useCases, node),
  });
  return buildHttpServer({
    routes,
    baseUrl,
    logger,
    authenticate: (key) => authenticate(registry, key),
    findSession: (token) => findSession(registry, token),
    idempotency: parts.idempotency,
    trustProxy: config.trustProxy,
    onRequestDone: (record) => {
      parts.pace.onRequest();
      metrics.onRequest(record);
    },
    timeouts: overrides.timeouts,
    processes,
  });
}
