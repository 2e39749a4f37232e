import { certificateMetrics } from './core/certificates/certificate-metrics.ts';
import { openCertificates } from './core/certificates/open-certificates.ts';
import { openIssuing } from './core/certificates/open-issuing.ts';
import { openImages } from './core/images/open-images.ts';
import { type Keys, openKeys } from './core/keys/open-keys.ts';
import { openPageChecks } from './core/page-checks/open-page-checks.ts';
import { domainProofPorts } from './core/registry/domains/proof-ports.ts';
import { controlTasks } from './core/registry/domains/run-checks.ts';
import { openRegistry } from './core/registry/open-registry.ts';
import { requestHeadersOf } from './core/registry/stores/request-headers.ts';
import { openVerification } from './core/verification/open-verification.ts';
import { tell } from './listeners.ts';
import type { NodeContext } from './node-context.ts';
import { purgeSessions } from './parts/console/sessions/sessions.ts';
import { recordDaysTask } from './parts/console/store-history.ts';
import type { ShopifyContext } from './parts/shopify/context.ts';
import { CONCURRENT_SHOPS, openShopify } from './parts/shopify/open-shopify.ts';
import { openShopThreads } from './parts/shopify/shop-threads.ts';
import { openSources } from './parts/sources/open-sources.ts';
import { createCopyRecorder } from './parts/sweeps/copies.ts';
import { openSweeps } from './parts/sweeps/open-sweeps.ts';
import { openWebhooks } from './parts/webhooks/open-webhooks.ts';
import { openFetchers } from './platform/network/fetchers.ts';

/** A fourth of the memory for certificates: enough for the facts of some hundred thousand products. */
const FACTS_SHARE = 4;

export type Capabilities = Awaited<ReturnType<typeof openCapabilities>>;

/** Opens the capabilities of a node in order, each with its dependencies among the earlier ones. */
export async function openCapabilities(context: NodeContext) {
  const node = { ...context, tell };
  const { config, db, clock, logger, overrides, baseUrl, secrets } = node;
  const { registry, tasks: registryTasks } = openRegistry(node);
  const keys = await openKeys({
    ...node,
    onRevoked: (trx, kid) => tell(trx, 'signingKeyRevoked', { kid }),
  });
  const { proofs: proofKeys } = keys;
  const { seal } = secrets;
  const fetchers = await openFetchers(config.fetch, overrides, {
    baseUrl,
    sign: signerOfRequests(node, keys),
  });

  const domainProof = domainProofPorts(fetchers.texts, overrides.resolveTxt);

  const certificates = openCertificates({
    ...node,
    ...certificateMetrics(node.metrics),
    keys: proofKeys,
    cacheBytes: config.certificateCacheBytes,
  });
  const issuingTasks = await openIssuing({ ...node, keys: proofKeys, certificates });
  const verification = openVerification({
    ...node,
    keys: proofKeys,
    snapshots: certificates.snapshots,
    proofs: certificates.proofs,
    formerIssuers: config.formerBaseUrls,
    cacheBytes: config.certificateCacheBytes / FACTS_SHARE,
    requireVerifiedDomain: config.requireVerifiedDomain,
  });
  const images = await openImages({ ...node, fetcher: fetchers.images });
  const pageChecks = openPageChecks({
    ...node,
    ...verification,
    findCertificatePath: certificates.findCertificatePath,
    fetcher: fetchers.pages,
    imageFetcher: fetchers.images,
    imageWorkers: images.workers,
    onForeign: createCopyRecorder({
      db,
      clock,
      tell,
      onFault: (err) => logger.warn({ err }, 'a copy of a certificate on another host could not be recorded'),
    }),
  });

  const sources = openSources({
    ...node,
    registry,
    fetcher: fetchers.catalogues,
    readPage: pageChecks.readPage,
  });
  const sweepTasks = openSweeps({ ...node, checkPage: pageChecks.useCases.checkPage });
  const webhookTasks = openWebhooks({ ...node, client: fetchers.endpoints, seal, hash: secrets.hash });
  const shopThreads = openShopThreads(CONCURRENT_SHOPS, (err) =>
    logger.error({ err }, 'a thread that parses what shops send cannot be started'),
  );
  node.closers.add('readers of shops', () => shopThreads.destroy());
  const shopify: ShopifyContext = {
    registry,
    threads: shopThreads,
    seal,
    api: fetchers.api,
    exports: fetchers.exports,
    streamCertificates: certificates.streamCertificates,
    baseUrl,
  };
  openShopify({ ...node, ...shopify });

  return {
    registry,
    keys,
    fetchers,
    domainProof,
    certificates,
    verification,
    images,
    pageChecks,
    sources,
    shopify,
    sweeps: { db, clock, ...config.sweeps },
    webhooks: { db, clock, seal, hash: secrets.hash, allowHttp: config.webhookHttp },
    /** Maintenance that may miss a run. */
    tasks: [
      ...registryTasks,
      ...controlTasks({ registry, ports: domainProof, logger }),
      ...keys.tasks,
      ...issuingTasks,
      ...images.tasks,
      ...pageChecks.tasks,
      ...sources.tasks,
      ...sweepTasks,
      ...webhookTasks,
      recordDaysTask(registry),
      { name: 'purge sessions', every: 3_600_000, run: () => purgeSessions(registry) },
    ],
  };
}

/** Signs with the headers that a merchant provided for its own hosts, otherwise with our own key. */
function signerOfRequests({ db, clock, secrets }: NodeContext, { signRequest }: Keys) {
  return async (url: URL) => {
    // a proof of control is of a host; its headers are for the origin https://host
    const isTheirs = url.protocol === 'https:' && url.port === '';
    const given = isTheirs && (await requestHeadersOf({ db, clock, secrets }, url.hostname));
    return given || signRequest(url);
  };
}
