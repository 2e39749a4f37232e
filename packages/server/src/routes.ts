import { VERSION } from '@touchstone/certificate';
import { type CertificateUseCases, certificateRoutes } from './core/certificates/routes.ts';
import {
  type DiscoveryOptions,
  discoveryRoutes,
  type NamespaceAddresses,
  ownNamespacePaths,
} from './core/docs/discovery-routes.ts';
import { docsRoutes } from './core/docs/routes.ts';
import type { BlobStore } from './core/images/blobs/blob-store.ts';
import { blobRoute, imageRoutes } from './core/images/routes.ts';
import { type KeyUseCases, keyRoutes } from './core/keys/routes.ts';
import { type PageCheckUseCases, pageCheckRoutes } from './core/page-checks/routes.ts';
import type { Registry } from './core/registry/context.ts';
import type { LimitedProofs } from './core/registry/domains/limited-ports.ts';
import { registryRoutes } from './core/registry/routes.ts';
import type { SealedIn } from './core/registry/stores/request-headers.ts';
import { type McpRouteOptions, mcpRoute } from './core/tools/routes.ts';
import { type VerificationUseCases, verificationRoutes } from './core/verification/routes.ts';
import type { Rotation } from './parts/console/operator-overview.ts';
import { consoleRoutes } from './parts/console/routes.ts';
import { sessionRoutes } from './parts/console/sessions/routes.ts';
import type { Chains } from './parts/nft/open-chains.ts';
import { nftRoutes } from './parts/nft/routes.ts';
import { downloadRoutes } from './parts/pages/downloads.ts';
import type { IssuerAddresses } from './parts/pages/pages.ts';
import { pageRoutes, withPages } from './parts/pages/routes.ts';
import type { WebBuild } from './parts/pages/web-build.ts';
import type { ShopifyContext } from './parts/shopify/context.ts';
import { shopifyRoutes } from './parts/shopify/routes.ts';
import { type SourceUseCases, sourceRoutes } from './parts/sources/routes.ts';
import type { SweepContext } from './parts/sweeps/read-sweep.ts';
import { sweepRoutes } from './parts/sweeps/routes.ts';
import { webhookRoutes } from './parts/webhooks/routes.ts';
import type { WebhookContext } from './parts/webhooks/webhooks.ts';
import { type HealthUseCases, healthRoutes } from './platform/health/routes.ts';
import type { BatchOptions } from './platform/http/batch.ts';
import type { Route } from './platform/http/route.ts';
import { StartError } from './platform/lifecycle/start-error.ts';

export interface RouteDependencies {
  readonly publicSide: CertificateUseCases & VerificationUseCases & PageCheckUseCases;
  readonly batch: BatchOptions;
  readonly blobs: Pick<BlobStore, 'size' | 'read'>;
  readonly registry: Registry;
  readonly domainProofs: LimitedProofs;
  readonly seal: SealedIn;
  readonly chains: Chains;
  readonly shopify: ShopifyContext;
  readonly keys: KeyUseCases;
  readonly rotation: Rotation;
  readonly sweeps: SweepContext;
  readonly webhooks: WebhookContext;
  readonly sources: SourceUseCases;
  readonly health: HealthUseCases;
  readonly tools: McpRouteOptions;
  readonly addresses: Omit<DiscoveryOptions, 'version'>;
  readonly issuer: IssuerAddresses;
  /** `null` if the pages for people were not built. */
  readonly web: WebBuild | null;
}

/** A route for every operation of the contract. */
export function buildRoutes(use: RouteDependencies): Route[] {
  const routes = [
    ...certificateRoutes(use.publicSide, use.registry),
    ...verificationRoutes(use.publicSide, use.batch),
    ...pageCheckRoutes(use.publicSide, use.batch),
    ...keyRoutes(use.keys),
    ...registryRoutes(use.registry, use.domainProofs, use.seal),
    ...sessionRoutes(use.registry, use.addresses.baseUrl),
    blobRoute(use.blobs),
    ...imageRoutes(use.registry, use.addresses.baseUrl),
    ...nftRoutes(use.registry, use.chains),
    ...sweepRoutes(use.sweeps),
    ...webhookRoutes(use.webhooks),
    ...consoleRoutes(use.registry, use.rotation),
    ...shopifyRoutes(use.shopify),
    ...sourceRoutes(use.registry, use.sources),
    ...healthRoutes(use.health),
    mcpRoute(use.tools),
    ...discoveryRoutes({ ...use.addresses, version: VERSION }),
    ...docsRoutes(VERSION),
    ...pageRoutes(use.web, use.issuer),
    ...downloadRoutes(),
  ];
  assertNamespaceIsFree(routes, use.addresses);
  return withPages(routes, use.web, use.issuer);
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
