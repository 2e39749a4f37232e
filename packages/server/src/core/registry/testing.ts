import type { RowResult } from '@touchstone/contract';
import type { InjectOptions } from 'light-my-request';
import { pino } from 'pino';
import { afterAll, beforeAll } from 'vitest';
import { findSession } from '../../parts/console/sessions/find-session.ts';
import { sessionRoutes } from '../../parts/console/sessions/routes.ts';
import { openChains } from '../../parts/nft/open-chains.ts';
import { nftRoutes } from '../../parts/nft/routes.ts';
import { emitterOf } from '../../parts.ts';
import type { Change } from '../../platform/cache/changes.ts';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { buildHttpServer } from '../../platform/http/http-server.ts';
import { createIdempotencyStore } from '../../platform/http/idempotency-store.ts';
import { injectable, type TestApp } from '../../platform/http/testing.ts';
import type { FetchBudgets } from '../../platform/limits/fetch-budgets.ts';
import { testSecrets } from '../../platform/secrets/testing.ts';
import { imageRoutes } from '../images/routes.ts';
import { authenticate, makeKey, registerOperatorKey } from './api-keys/api-keys.ts';
import type { Registry } from './context.ts';
import type { DomainProofPorts, FetchedText } from './domains/find-proof.ts';
import { createMerchant } from './merchants/merchants.ts';
import { upsertProducts } from './products/upsert.ts';
import { registryRoutes } from './routes.ts';
import { createStore } from './stores/stores.ts';

const emit = emitterOf({ without: [] });

/** The registry on a fresh database, with a fixed clock and a record of all published changes. */
export interface TestRegistry extends Registry {
  readonly database: TestDatabase;
  readonly changes: Change[];
  close(): Promise<void>;
}

export async function testRegistry(): Promise<TestRegistry> {
  return registryOf(await testDatabase());
}

export function registryOf(database: TestDatabase): TestRegistry {
  const changes: Change[] = [];
  return {
    database,
    db: database.db,
    clock: () => new Date('2026-11-20T10:00:00Z'),
    secrets: testSecrets(),
    onChange: (published) => changes.push(...published),
    emit,
    changes,
    close: () => database.close(),
  };
}

export interface TestShop {
  readonly merchantId: string;
  readonly storeId: string;
  readonly host: string;
  readonly challenge: string;
  /** A valid row with the given changes. */
  row(externalProductId: string, changes?: Record<string, unknown>): Record<string, unknown>;
  put(...rows: unknown[]): Promise<RowResult[]>;
}

/** @param merchant - whose store it is; by default of one of its own */
export async function testShop(
  registry: TestRegistry,
  host = 'shop.example',
  planCapacity = 100,
  merchant?: { readonly merchantId: string },
): Promise<TestShop> {
  const merchantId =
    merchant?.merchantId ??
    (await createMerchant(registry, { name: `Merchant of ${host}`, planCapacity })).id;
  const store = await createStore(registry, 'all', {
    merchantId,
    name: 'Shop',
    url: `https://${host}/`,
  });
  return {
    merchantId,
    storeId: store.id,
    host,
    challenge: store.domains[0]?.challenge ?? '',
    row: (externalProductId, changes = {}) => ({
      externalProductId,
      url: `https://${host}/products/${externalProductId}`,
      name: `Product ${externalProductId}`,
      images: [{ url: `https://${host}/${externalProductId}.jpg` }],
      ...changes,
    }),
    put: (...rows) => upsertProducts(registry, 'all', store.id, rows),
  };
}

/** A web and a DNS of a few entries; whatever is not in it does not answer. */
export function fakeWeb(pages: Record<string, string | FetchedText>, txt: Record<string, string[]> = {}) {
  const fetched: string[] = [];
  const ports: DomainProofPorts = {
    fetchText: async (url) => {
      fetched.push(url);
      const page = pages[url];
      if (typeof page === 'string') return { status: 200, finalUrl: url, body: page };
      return page ?? { failed: true, code: 'connection_refused' };
    },
    resolveTxt: async (name) => ({ records: txt[name] ?? [] }),
  };
  return { ports, fetched };
}

/** A good product row of a shop. */
export const row = (host: string, id: string) => ({
  externalProductId: id,
  url: `https://${host}/${id}`,
  name: `Product ${id}`,
  images: [{ url: `https://${host}/${id}.jpg` }],
});

/** The registry over HTTP, for the tests of one file. */
export function useRegistryApi({
  fetchesPerHost = 1_000,
  ...options
}: Partial<Pick<Registry, 'productsAtOnce' | 'clock'> & Pick<FetchBudgets, 'fetchesPerHost'>> = {}) {
  const operator = makeKey();
  /** What hosts answer that are to be proven. */
  const web: Record<string, string> = {};
  let registry: TestRegistry;
  let app: TestApp;
  const budgets = { fetchesPerCaller: 1_000, fetchesPerHost, fetchesInAll: 1_000 };
  const { ports, fetched } = fakeWeb(web);
  const proofs = { ports, budgets };
  beforeAll(async () => {
    registry = { ...(await testRegistry()), ...options };
    await registerOperatorKey(registry, operator, registry.clock());
    app = injectable(
      buildHttpServer({
        routes: [
          ...registryRoutes(registry, proofs, registry.secrets.seal),
          ...sessionRoutes(registry, 'https://certs.example'),
          ...imageRoutes(registry, 'https://certificates.example'),
          ...nftRoutes(registry, openChains([], 1)),
        ],
        baseUrl: 'https://certs.example',
        logger: pino({ level: 'silent' }),
        authenticate: (key) => authenticate(registry, key),
        findSession: (token) => findSession(registry, token),
        idempotency: createIdempotencyStore(registry.db, registry.secrets),
        trustProxy: [],
      }),
    );
  });
  afterAll(async () => {
    await app.close();
    await registry.close();
  });

  async function call(
    key: string,
    method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE',
    path: string,
    body?: unknown,
    headers: Record<string, string> = {},
  ) {
    const isText = typeof body === 'string';
    const response = await app.inject({
      method,
      url: `/api/v1/registry${path}`,
      headers: {
        authorization: `Bearer ${key}`,
        ...(body === undefined
          ? {}
          : { 'content-type': isText ? 'application/x-ndjson' : 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { payload: isText ? body : JSON.stringify(body) }),
    });
    const isJson = String(response.headers['content-type']).includes('json') && !isText;
    // biome-ignore lint/suspicious/noExplicitAny: answers of many shapes, which the tests inspect
    const json: any = isJson && response.payload !== '' ? JSON.parse(response.payload) : undefined;
    return { status: response.statusCode, json, text: response.payload, headers: response.headers };
  }

  /** A merchant with a store at `host`. */
  async function merchant(host: string) {
    const { json } = await call(operator, 'POST', '/merchants', { name: `M ${host}`, planCapacity: 10 });
    const key = (await call(operator, 'POST', `/merchants/${json.id}/api-keys`)).json.key as string;
    const store = await call(key, 'POST', '/stores', {
      merchantId: json.id,
      name: 'Shop',
      url: `https://${host}`,
    });
    return { id: json.id as string, key, store: store.json };
  }

  /** A call as it stands, with nothing added. */
  const inject = (request: InjectOptions) => app.inject(request);

  /** One statement, for looking. */
  const query = (statement: string, values?: unknown[]) => registry.database.query(statement, values);

  return { operator, web, fetched, call, merchant, inject, query };
}
