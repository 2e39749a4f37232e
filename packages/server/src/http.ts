import type { Capabilities } from './capabilities.ts';
import { countReissues } from './core/certificates/count-reissues.ts';
import { observeSettings } from './core/page-checks/observe-settings.ts';
import { authenticate } from './core/registry/api-keys/api-keys.ts';
import { openTools } from './core/tools/open-tools.ts';
import type { NodeContext } from './node-context.ts';
import { findSession } from './parts/console/sessions/find-session.ts';
import { openChains } from './parts/nft/open-chains.ts';
import { loadWebBuild } from './parts/pages/web-build.ts';
import type { Readiness } from './platform/health/readiness.ts';
import { buildHttpServer, type HttpServer } from './platform/http/http-server.ts';
import { createIdempotencyStore } from './platform/http/idempotency-store.ts';
import type { ScheduledTask } from './platform/jobs/scheduled-tasks.ts';
import { buildRoutes } from './routes.ts';

const DAY = 86_400_000;

/** The HTTP server over the capabilities, not listening yet. */
export function openHttp(
  node: NodeContext,
  capabilities: Capabilities,
  readiness: Readiness,
): { readonly app: HttpServer; readonly tasks: readonly ScheduledTask[] } {
  const { config, overrides, logger, metrics, baseUrl } = node;
  const { registry, keys } = capabilities;
  const useCases = {
    ...capabilities.certificates,
    ...capabilities.verification,
    ...capabilities.pageChecks.useCases,
    getJwks: keys.getJwks,
  };
  const web = overrides.web === undefined ? loadWebBuild() : overrides.web;
  if (web === null)
    logger.warn('the pages were not built: "npm run build:pages" builds them; their addresses answer 503');
  const routes = buildRoutes({
    publicSide: useCases,
    batch: { baseUrl, onItemFault: (error) => logger.error({ err: error }, 'an item of a batch failed') },
    blobs: capabilities.images.blobs,
    registry,
    keys: { ...keys, clock: node.clock, reissues: () => countReissues(node.db) },
    rotation: {
      policy: { rotateEvery: config.signingRotateDays * DAY },
      listKeys: { proofs: keys.proofs.list, requests: keys.requests.list },
    },
    seal: node.secrets.seal,
    sweeps: capabilities.sweeps,
    webhooks: capabilities.webhooks,
    domainProofs: { ports: capabilities.domainProof, budgets: observeSettings(config) },
    shopify: capabilities.shopify,
    chains: openChains(config.nftChains, config.nftConfirmations),
    sources: { ...capabilities.sources, isDraining: readiness.isDraining },
    health: { ...readiness, renderMetrics: node.renderMetrics },
    addresses: node,
    issuer: { baseUrl, formerBaseUrls: config.formerBaseUrls },
    web,
    tools: openTools(useCases, node),
  });
  const idempotency = createIdempotencyStore(node.db, node.secrets);
  const app = buildHttpServer({
    routes,
    baseUrl,
    logger,
    authenticate: (key) => authenticate(registry, key),
    findSession: (token) => findSession(registry, token),
    idempotency,
    trustProxy: config.trustProxy,
    onRequestDone: (record) => {
      node.pace.onRequest();
      node.due.onRequest();
      metrics.onRequest(record);
    },
    timeouts: overrides.timeouts,
    processes: node.processes,
  });
  return {
    app,
    tasks: [{ name: 'purge idempotency keys', every: DAY / 48, run: () => idempotency.purge() }],
  };
}
