import { deleteOldChanges } from '../platform/cache/poll-changes.ts';
import { createReadiness } from '../platform/health/readiness.ts';
import type { Route } from '../platform/http/route.ts';
import type { ScheduledTask } from '../platform/jobs/scheduled-tasks.ts';
import { openFetchers } from '../platform/network/fetchers.ts';
import { certificateMetrics } from './certificates/certificate-metrics.ts';
import { openCertificates } from './certificates/open-certificates.ts';
import { openIssuing } from './certificates/open-issuing.ts';
import type { ProofLog } from './certificates/proof-log.ts';
import type { StatusEntries } from './certificates/status-entries.ts';
import type { Core, Present } from './core.ts';
import { coreRoutes } from './core-routes.ts';
import { openImages } from './images/open-images.ts';
import { type Keys, openKeys } from './keys/open-keys.ts';
import type { NodeContext } from './node-context.ts';
import type { ReceiptsAndEvidence } from './page-checks/check-with-receipt.ts';
import type { KnownSites } from './page-checks/known-sites.ts';
import { openPageChecks } from './page-checks/open-page-checks.ts';
import type { PagePictures } from './page-checks/page-pictures.ts';
import { createPublicDocuments } from './public-documents.ts';
import { domainProofPorts } from './registry/domains/proof-ports.ts';
import { controlTasks } from './registry/domains/run-checks.ts';
import { openRegistry } from './registry/open-registry.ts';
import { requestHeadersOf } from './registry/stores/request-headers.ts';
import type { VerifyItem } from './verification/item-verifier.ts';
import { openVerification } from './verification/open-verification.ts';

export interface OpenCore {
  readonly core: Core;
  readonly routes: readonly Route[];
  /** Maintenance that may miss a run. */
  readonly tasks: readonly ScheduledTask[];
}

/** What parts do for the core. */
export interface OfParts {
  readonly statusEntries?: StatusEntries;
  readonly proofLog?: ProofLog;
  readonly knownSites?: KnownSites;
  readonly openReceipts?: (core: Core) => ReceiptsAndEvidence;
  readonly openPictures?: (core: Core) => PagePictures;
  readonly openItems?: (core: Core) => VerifyItem;
}

/** A fourth of the memory for certificates: enough for the facts of some hundred thousand products. */
const FACTS_SHARE = 4;

/** Opens the folders of the core in order, each with its dependencies among the earlier ones. */
export async function openCore(
  node: NodeContext,
  present: Present,
  { openReceipts, openPictures, openItems, ...ofParts }: OfParts = {},
): Promise<OpenCore> {
  const { config, db, clock, logger, overrides, baseUrl, emit } = node;
  const { registry, tasks: registryTasks } = openRegistry(node);
  const keys = await openKeys({
    ...node,
    onRevoked: (trx, revoked) => emit(trx, 'signingKeyRevoked', revoked),
  });
  const fetchers = await openFetchers(config.fetch, overrides, {
    baseUrl,
    tracing: node.tracing,
    sign: signerOfRequests(node, keys),
  });
  const domainProof = domainProofPorts(fetchers.texts, overrides.resolveTxt);
  const certificates = openCertificates({
    ...node,
    ...certificateMetrics(node.metrics),
    keys: keys.proofs,
    cacheBytes: config.certificateCacheBytes,
    ...ofParts,
  });
  const issuingTasks = await openIssuing({ ...node, keys: keys.proofs, certificates });
  const verification = openVerification({
    ...node,
    keys: keys.proofs,
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
    knownSites: ofParts.knownSites,
  });
  const readiness = createReadiness({
    db,
    clock,
    answersStale: () => node.listener.wasProven(),
    whenFresh: (signal) => node.listener.whenProven(signal),
    checkKeys: () => keys.proofs.signer(),
    findings: () => [...node.refusedRows.findings(), ...(ofParts.proofLog?.findings() ?? [])],
  });
  const without: Core = {
    ...node,
    registry,
    keys,
    fetchers,
    blobs: images.blobs,
    imageWorkers: images.workers,
    certificates,
    verifyCarried: verification.verifyCarried,
    pageChecks,
    ...(ofParts.proofLog === undefined ? {} : { proofLog: ofParts.proofLog }),
    ...(ofParts.knownSites === undefined ? {} : { knownSites: ofParts.knownSites }),
    publicDocuments: createPublicDocuments(),
    readiness,
    present,
  };
  const core: Core = {
    ...without,
    ...(openPictures === undefined ? {} : { pagePictures: openPictures(without) }),
    ...(openItems === undefined ? {} : { verifyItem: openItems(without) }),
  };
  return {
    core,
    routes: coreRoutes(core, {
      verification,
      domainProof,
      blobs: images.blobs,
      receipts: openReceipts?.(core),
    }),
    tasks: [
      { name: 'delete old changes', every: 60_000, run: () => deleteOldChanges(db) },
      ...registryTasks,
      ...controlTasks({ registry, ports: domainProof, logger }),
      ...keys.tasks,
      ...issuingTasks,
      ...images.tasks,
      ...pageChecks.tasks,
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
