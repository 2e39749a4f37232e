import type { AddressInfo } from 'node:net';
import { createKeySet, type RegistryFacts } from '@touchstone/certificate';
import { pino } from 'pino';
import { createSnapshotLoader } from '../../../packages/server/src/core/certificates/load-snapshot.ts';
import { nodeRs256, nodeSha256 } from '../../../packages/server/src/core/keys/rsa-keys.ts';
import { createCheckPage } from '../../../packages/server/src/core/page-checks/check-page.ts';
import { pageCheckRoutes } from '../../../packages/server/src/core/page-checks/routes.ts';
import { DEFAULT_OBSERVE_SETTINGS } from '../../../packages/server/src/core/page-checks/testing.ts';
import { allowedHostnames } from '../../../packages/server/src/core/tools/guards.ts';
import { mcpRoute } from '../../../packages/server/src/core/tools/routes.ts';
import { serviceUseCases } from '../../../packages/server/src/core/tools/service-use-cases.ts';
import { createClaimedHosts } from '../../../packages/server/src/core/verification/claimed-hosts.ts';
import { verificationRoutes } from '../../../packages/server/src/core/verification/routes.ts';
import {
  createProductFacts,
  createReadSigned,
  createVerifyProduct,
  type VerifyProduct,
} from '../../../packages/server/src/core/verification/verify-product.ts';
import type { FreshCache } from '../../../packages/server/src/platform/cache/fresh-cache.ts';
import { testDatabase } from '../../../packages/server/src/platform/database/testing.ts';
import { ServiceError } from '../../../packages/server/src/platform/errors.ts';
import { buildHttpServer } from '../../../packages/server/src/platform/http/http-server.ts';
import { testSecrets } from '../../../packages/server/src/platform/secrets/testing.ts';
import type { Vector, VectorKeys, VectorRegistry } from '../../kit/vectors.ts';
import { observationOf } from './core.ts';

/** Why a service does not support a vector, or null. */
export function notForService(vector: Vector): string | null {
  if (vector.kind === 'profile') return 'profiles are for offline verification';
  if (vector.kind === 'withdrawal') return 'the registry answers without a list';
  if (vector.jwksByIssuer !== undefined) return 'a service has one key set, for its own addresses';
  return vector.kind === 'proof' && vector.context.proofKind !== 'product'
    ? 'no call takes a proof of another kind than a product certificate'
    : null;
}

/** A server for one vector after another. */
export interface VectorServer {
  readonly url: string;
  /** Makes the service use this vector from now on. */
  readonly show: (vector: Vector, keys: VectorKeys) => void;
  readonly close: () => Promise<void>;
}

/**
 * The service's own routes, use cases and signature primitive over real HTTP. The vector replaces what a running service reads from its
 * tables (keys, registry facts), its clock and the fetched page, at the same ports where the service itself injects them.
 */
export async function vectorServer(): Promise<VectorServer> {
  const database = await testDatabase();
  let current: PortsOfOneVector | undefined;
  const now = () => current ?? fail('no vector is under way');
  const verifyProduct: VerifyProduct = (input) => now().verifyProduct(input);
  const checkPage: PortsOfOneVector['checkPage'] = (input) => now().checkPage(input);
  const tools = {
    verifyProduct,
    checkPage,
    getCertificate: fail,
    findCertificate: fail,
    getJwks: () => fail('no key set is asked for'),
  };
  const batch = { baseUrl: 'https://certificates.example', onItemFault: fail };
  const app = buildHttpServer({
    routes: [
      ...verificationRoutes({ verifyProduct, verifyImage: fail }, batch),
      ...pageCheckRoutes({ checkPage, getPageCheck: fail }, batch),
      mcpRoute({
        useCasesFor: (call) => serviceUseCases(tools, call),
        allowedHostnames: allowedHostnames([], '127.0.0.1'),
        onFault: fail,
      }),
    ],
    baseUrl: 'https://certificates.example',
    logger: pino({ level: 'silent' }),
    findSession: async () => null,
    authenticate: async () => null,
    idempotency: { begin: fail, finish: fail, abandon: fail },
    trustProxy: [],
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  return {
    url: `http://127.0.0.1:${(app.server.address() as AddressInfo).port}`,
    show: (vector, [own]) => {
      current = portsOf(vector, own?.jwks, database.db);
    },
    async close() {
      await app.close();
      await database.close();
    },
  };
}

interface PortsOfOneVector {
  readonly verifyProduct: VerifyProduct;
  readonly checkPage: ReturnType<typeof createCheckPage>;
}

type Db = Awaited<ReturnType<typeof testDatabase>>['db'];

/** The service's use cases, with the vector instead of tables, clock and network. */
function portsOf(vector: Vector, jwks: unknown, db: Db): PortsOfOneVector {
  const keySet = createKeySet(jwks, nodeRs256(), nodeSha256());
  const secrets = testSecrets();
  const trusted = secrets.rows;
  const productFacts = createProductFacts({
    snapshots: createSnapshotLoader(db, trusted),
    claimedHosts: createClaimedHosts(db, trusted),
    cache: factsOf(vector),
  });
  const trusting = {
    keys: {
      trusted: () => keySet,
      trustedNow: async () => keySet,
      revoked: async () => createKeySet({ keys: [] }),
      areStale: () => false,
    },
    issuers: vector.context.issuers,
    clock: () => new Date(vector.context.now),
  };
  const verifyProduct = createVerifyProduct({ productFacts, ...trusting });
  const observe = async () =>
    vector.kind === 'page' ? observationOf(vector) : fail('only page vectors have a page');
  const checkPage = createCheckPage({
    db,
    clock: trusting.clock,
    secrets,
    observer: {
      observe,
      capture: async () => fail('no vector has its page kept'),
      close: async () => {},
    },
    verifyProduct,
    productFacts,
    readSigned: createReadSigned(trusting),
    baseUrls: vector.kind === 'page' ? vector.context.baseUrls : [],
    settings: DEFAULT_OBSERVE_SETTINGS,
    matchImages: async () => [],
    uncertifiedPage: async () => [],
  });
  return { verifyProduct, checkPage };
}

/** The vector's registry, behind the same port as the service's own cache. */
function factsOf(vector: Vector): FreshCache<RegistryFacts> {
  const known = (productId: string): VectorRegistry | undefined => {
    if (vector.kind === 'page') return vector.context.products[productId];
    return vector.kind === 'document' ? vector.context.registry : SOUND_REGISTRY;
  };
  return {
    size: 0,
    async get(key) {
      const facts = known(key.slice(2));
      if (facts === undefined) throw new ServiceError('product_unknown');
      return facts;
    },
  };
}

/** For proofs, whose checks do not use it. */
const SOUND_REGISTRY: VectorRegistry = {
  issuedFor: 'shop.example',
  domains: [{ hostname: 'shop.example', verified: true }],
  coverage: { certifiedAssets: 3, totalAssets: 4, coveragePercent: 75 },
  publishing: true,
};

function fail(why: unknown): never {
  throw new Error(typeof why === 'string' ? why : 'this port is not asked by a vector');
}
