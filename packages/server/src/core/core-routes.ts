import { VERSION } from '@touchstone/certificate';
import { healthRoutes } from '../platform/health/routes.ts';
import type { Route } from '../platform/http/route.ts';
import { countReissues } from './certificates/count-reissues.ts';
import { certificateRoutes } from './certificates/routes.ts';
import type { Core } from './core.ts';
import { discoveryRoutes } from './docs/discovery-routes.ts';
import { docsRoutes } from './docs/routes.ts';
import type { BlobStore } from './images/blobs/blob-store.ts';
import { blobRoute, imageRoutes } from './images/routes.ts';
import { keyRoutes } from './keys/routes.ts';
import { checkWithReceipt, type ReceiptsAndEvidence } from './page-checks/check-with-receipt.ts';
import { observeSettings } from './page-checks/observe-settings.ts';
import { pageCheckRoutes } from './page-checks/routes.ts';
import type { DomainProofPorts } from './registry/domains/find-proof.ts';
import { registryRoutes } from './registry/routes.ts';
import { openTools } from './tools/open-tools.ts';
import { mcpRoute } from './tools/routes.ts';
import type { openVerification } from './verification/open-verification.ts';
import { verifyWithReceipt } from './verification/receipts.ts';
import { verificationRoutes } from './verification/routes.ts';

interface NotForParts {
  readonly receipts: ReceiptsAndEvidence | undefined;
  readonly verification: ReturnType<typeof openVerification>;
  readonly domainProof: DomainProofPorts;
  readonly blobs: BlobStore;
}

/** A route for every operation of the core. */
export function coreRoutes(
  core: Core,
  { verification, domainProof, blobs, receipts }: NotForParts,
): readonly Route[] {
  const { config, db, clock, logger, baseUrl, registry, keys } = core;
  const useCases = {
    ...core.certificates,
    ...verification,
    ...core.pageChecks.useCases,
    verifyProduct: verifyWithReceipt(verification.verifyProduct, receipts),
    checkPage: checkWithReceipt(core.pageChecks.useCases.checkPage, receipts),
    getJwks: keys.getJwks,
    checkSite: core.knownSites?.checkSite,
    pagePictures: core.pagePictures,
    verifyItem: core.verifyItem,
  };
  const batch = {
    baseUrl,
    onItemFault: (error: unknown) => logger.error({ err: error }, 'an item of a batch failed'),
  };
  const proofs = { ports: domainProof, budgets: observeSettings(config) };
  return [
    ...certificateRoutes(useCases, registry),
    ...verificationRoutes(useCases, batch),
    ...pageCheckRoutes(useCases, batch),
    ...keyRoutes({ ...keys, clock, reissues: () => countReissues(db) }),
    ...registryRoutes(registry, proofs, core.secrets.seal),
    blobRoute(blobs),
    ...imageRoutes(registry, baseUrl),
    ...healthRoutes({ ...core.readiness, renderMetrics: core.renderMetrics }),
    mcpRoute(openTools(useCases, core)),
    ...discoveryRoutes({ ...core, version: VERSION }),
    ...docsRoutes(VERSION, core.present.operations),
  ];
}
