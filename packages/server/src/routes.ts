import { VERSION } from '@touchstone/certificate';
import { type CertificateUseCases, certificateRoutes } from './certificates/routes.ts';
import type { Rotation } from './console/operator-overview.ts';
import { consoleRoutes } from './console/routes.ts';
import {
  type DiscoveryOptions,
  discoveryRoutes,
  type NamespaceAddresses,
  ownNamespacePaths,
} from './docs/discovery-routes.ts';
import { docsRoutes } from './docs/routes.ts';
import type { BlobStore } from './images/blobs/blob-store.ts';
import type { Chains } from './images/nft/open-chains.ts';
import { blobRoute, imageRoutes } from './images/routes.ts';
import { type KeyUseCases, keyRoutes } from './keys/routes.ts';
import { type PageCheckUseCases, pageCheckRoutes } from './page-checks/routes.ts';
import { downloadRoutes } from './pages/downloads.ts';
import type { IssuerAddresses } from './pages/pages.ts';
import { pageRoutes, withPages } from './pages/routes.ts';
import type { WebBuild } from './pages/web-build.ts';
import { type HealthUseCases, healthRoutes } from './platform/health/routes.ts';
import type { BatchOptions } from './platform/http/batch.ts';
import type { Route } from './platform/http/route.ts';
import { StartError } from './platform/lifecycle/start-error.ts';
import type { Registry } from './registry/context.ts';
import type { LimitedProofs } from './registry/domains/limited-ports.ts';
import { registryRoutes } from './registry/routes.ts';
import { sessionRoutes } from './registry/sessions/routes.ts';
import type { SealedIn } from './registry/stores/request-headers.ts';
import type { ShopifyContext } from './shopify/context.ts';
import { shopifyRoutes } from './shopify/routes.ts';
import { type SourceUseCases, sourceRoutes } from './sources/routes.ts';
import type { SweepContext } from './sweeps/read-sweep.ts';
import { sweepRoutes } from './sweeps/routes.ts';
import { type McpRouteOptions, mcpRoute } from './tools/routes.ts';
import { type VerificationUseCases, verificationRoutes } from './verification/routes.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import type { WebhookContext } from './webhooks/webhooks.ts';

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
    ...imageRoutes(use.registry, use.chains, use.addresses.baseUrl),
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
