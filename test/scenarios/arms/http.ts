import type { AddressInfo } from 'node:net';
import { createKeySet, type RegistryFacts } from '@touchstone/certificate';
import { pino } from 'pino';
import { ServiceError } from '../../../packages/server/src/errors.ts';
import { buildHttpServer } from '../../../packages/server/src/http/http-server.ts';
import { pageCheckRows } from '../../../packages/server/src/http/public/page-checks.ts';
import { verificationRows } from '../../../packages/server/src/http/public/verification.ts';
import { DEFAULT_OBSERVE_SETTINGS } from '../../../packages/server/src/observe/settings.ts';
import { createCheckPage } from '../../../packages/server/src/service/check-page.ts';
import type { FreshCache } from '../../../packages/server/src/service/freshness-cache.ts';
import {
  createVerifyProduct,
  type VerifyProduct,
} from '../../../packages/server/src/service/verify-product.ts';
import { nodeRs256 } from '../../../packages/server/src/signing/node-rs256.ts';
import { testDatabase } from '../../../packages/server/src/storage/testing.ts';
import type {
  DocumentVector,
  PageVector,
  ProofVector,
  Vector,
  VectorRegistry,
} from '../../support/vectors.ts';
import {
  type Arm,
  answersOf,
  codesOf,
  expectedWithRegistry,
  type Outcome,
  pageOutcome,
  proofAnswers,
} from './arm.ts';
import { observationOf } from './core.ts';

/** Bytes that the service takes as a body. */
const BODY_LIMIT = 1024 * 1024;

/**
 * The service's own rows, use cases and signature primitive over real HTTP. What a running service reads from its
 * tables (keys, registry facts), its clock and what it fetched of a page come from the vector, at the ports at
 * which the service itself puts them in.
 */
export async function httpArm(): Promise<Arm> {
  const database = await testDatabase();
  let current: Pick<PortsOfOneVector, 'verifyProduct' | 'checkPage'> | undefined;
  const now = () => current ?? fail('no vector is under way');
  const app = buildHttpServer({
    rows: [
      ...verificationRows({ verifyProduct: (input) => now().verifyProduct(input) }),
      ...pageCheckRows({
        checkPage: (input) => now().checkPage(input),
        getPageCheck: () => fail('no permalink is asked for'),
      }),
    ],
    baseUrl: 'https://certificates.example',
    logger: pino({ level: 'silent' }),
    authenticate: async () => null,
    idempotency: { begin: fail, finish: fail, abandon: fail },
    trustProxy: [],
  });
  await app.listen({ host: '127.0.0.1', port: 0 });
  const url = `http://127.0.0.1:${(app.server.address() as AddressInfo).port}/api/v1/mc4p`;
  return {
    name: 'http',
    cannot: (vector) =>
      vector.kind === 'proof' && vector.context.proofKind !== 'product'
        ? 'no endpoint takes a proof of another kind than a product certificate'
        : null,
    expected: (vector) =>
      bodyOf(vector).length > BODY_LIMIT
        ? { status: 'refused: body_too_large' }
        : expectedWithRegistry(vector),
    async run(vector, jwks) {
      current = portsOf(vector, jwks, database.db);
      return vector.kind === 'page' ? runPage(url, vector) : runVerify(url, vector);
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

const SOME_PRODUCT = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const SOME_PAGE = 'https://shop.example/products/kettle';

/** The use cases of the service, with the vector in the place of tables, clock and network. */
function portsOf(vector: Vector, jwks: unknown, db: Db): PortsOfOneVector {
  const keySet = createKeySet(jwks, nodeRs256());
  const verifyProduct = createVerifyProduct({
    db,
    keys: { trusted: async () => keySet },
    facts: factsOf(vector),
    issuers: vector.context.issuers,
    clock: () => new Date(vector.context.now),
  });
  const observe = async () =>
    vector.kind === 'page' ? observationOf(vector) : fail('only page vectors have a page');
  const checkPage = createCheckPage({
    db,
    observer: { observe, close: async () => {} },
    verifyProduct,
    baseUrls: vector.kind === 'page' ? vector.context.baseUrls : [],
    settings: DEFAULT_OBSERVE_SETTINGS,
  });
  return { verifyProduct, checkPage };
}

/** The registry of the vector, behind the port that the service's own cache of it stands behind. */
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

/** For proofs, whose checks do not ask it. */
const SOUND_REGISTRY: VectorRegistry = {
  issuedFor: 'shop.example',
  domains: [{ hostname: 'shop.example', verified: true }],
  coverage: { certifiedAssets: 3, totalAssets: 4, coveragePercent: 75 },
  publishing: true,
};

function bodyOf(vector: Vector): string {
  if (vector.kind === 'page') return JSON.stringify({ url: vector.input.url });
  if (vector.kind === 'proof') {
    return JSON.stringify({ productUrl: SOME_PAGE, document: { proof: { jwt: vector.input.jwt } } });
  }
  return JSON.stringify({ productUrl: vector.context.pageUrl, ...vector.input });
}

async function post(url: string, body: string): Promise<{ status: number; json: Record<string, unknown> }> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body,
  });
  return { status: response.status, json: (await response.json()) as Record<string, unknown> };
}

interface VerifyAnswer {
  readonly status: string;
  readonly checks: Readonly<Record<string, boolean | null>>;
  readonly checkDetails: Parameters<typeof answersOf>[0];
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
}

async function runVerify(url: string, vector: DocumentVector | ProofVector): Promise<Outcome> {
  const productId = vector.kind === 'document' ? vector.context.productId : SOME_PRODUCT;
  const { status, json } = await post(`${url}/products/${productId}/verify`, bodyOf(vector));
  if (status !== 200) return { status: `refused: ${String(json.code ?? JSON.stringify(json))}` };
  const answer = json as unknown as VerifyAnswer;
  for (const [name, { result }] of Object.entries(answer.checkDetails)) {
    if (answer.checks[name] !== result) throw new Error(`checks and checkDetails disagree on ${name}`);
  }
  const checks = answersOf(answer.checkDetails);
  if (vector.kind === 'proof') return proofAnswers(checks);
  return {
    status: answer.status,
    checks,
    warnings: codesOf(answer.warnings),
    errors: codesOf(answer.errors),
  };
}

async function runPage(url: string, vector: PageVector): Promise<Outcome> {
  const { status, json } = await post(`${url}/page-checks`, bodyOf(vector));
  if (status !== 200) return { status: `refused: ${String(json.code)}` };
  return pageOutcome(vector, json as unknown as Parameters<typeof pageOutcome>[1]);
}

function fail(why: unknown): never {
  throw new Error(typeof why === 'string' ? why : 'this port is not asked by a vector');
}
