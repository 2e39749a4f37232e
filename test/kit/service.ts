import { createTestIssuer } from '@touchstone/certificate/testing';
import { afterAll, expect, vi } from 'vitest';
import type { Overrides } from '../../packages/server/src/core/running-service.ts';
import { announce } from '../../packages/server/src/platform/cache/announce.ts';
import { secretsOf } from '../../packages/server/src/platform/secrets/testing.ts';
import { type TestService, testService } from '../../packages/server/src/testing.ts';
import { openApiCheck } from './openapi.ts';
import { PATIENT } from './patience.ts';
import { openStore, operate, putProducts } from './registry.ts';
import { openShop, type Shop } from './shop.ts';

export type Json = Record<string, unknown>;

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
  /** The body of a JSON response. */
  readonly json: Json;
}

export interface SceneProduct {
  readonly id: string;
  readonly url: string;
}

export interface SceneStore {
  readonly id: string;
  readonly merchantId: string;
  /** Adds a product with two images, and the scenario's changes. */
  product(name: string, changes?: Json): Promise<SceneProduct>;
}

/** A whole service, a shop that it can fetch from, and an adjustable clock: the environment of the scenarios. */
export interface Scene {
  readonly service: TestService;
  readonly shop: Shop;
  readonly baseUrl: string;
  /** A call without credentials. */
  call(
    method: string,
    path: string,
    body?: unknown,
    headers?: Readonly<Record<string, string>>,
  ): Promise<Answer>;
  /** A call with the operator's key; throws if it fails. */
  operate(method: string, path: string, body?: unknown): Promise<Json>;
  store(host: string, options?: { planCapacity?: number; proven?: boolean }): Promise<SceneStore>;
  /** The ids of a product's images, in order. */
  imagesOf(productId: string): Promise<string[]>;
  /** The certificate document of a product. */
  certificate(productId: string): Promise<Json>;
  verify(productId: string, body: Json): Promise<Json>;
  checkPage(url: string, freshness?: 'cached' | 'fresh'): Promise<Json>;
  /** The same certificate with other claims, validly signed by a retired key of the service. */
  signedAnew(certificate: Json, claims: Json): Promise<Json>;
  /** Moves the service's clock forward by seconds. */
  travel(seconds: number): void;
  close(): Promise<void>;
}

export const BASE_URL = 'https://certificates.example';
const HOSTS = [
  'shop.example',
  'copy.example',
  'lanternhill.example',
  'lanternhill-outlet.example',
  'lanternhlil.example',
  'unproven.example',
  'lost.example',
  'other.example',
  'crowd.example',
  // one for each view of a page, for journeys that need their own shop
  'phone.example',
  'desktop.example',
];

/**
 * Starts the real service on the real database, listening on loopback.
 *
 * @param hosts - of shops, besides those of all scenarios
 */
export async function openScene(
  settings: Readonly<Record<string, string>> = {},
  overrides: Overrides = {},
  hosts: readonly string[] = [],
): Promise<Scene> {
  const shop = await openShop();
  const clock = { ahead: 0 };
  const service = await testService({
    settings: {
      TOUCHSTONE_BASE_URL: BASE_URL,
      TOUCHSTONE_PAGE_CACHE_SECONDS: '0',
      TOUCHSTONE_FETCH_CONNECT_TO: [...HOSTS, ...hosts]
        .map((host) => `${host}=127.0.0.1:${shop.port}`)
        .join(','),
      ...settings,
    },
    overrides: { clock: () => new Date(Date.now() + clock.ahead * 1000), ...overrides },
  });
  const conforms = openApiCheck();
  const call: Scene['call'] = async (method, path, body, headers = {}) => {
    const answer = await callService(service.url + path, method, body, headers);
    conforms(method, path, answer);
    return answer;
  };
  const operateScene: Scene['operate'] = (method, path, body) => operate(service, method, path, body);
  const retiredKey = once(() => addRetiredKey(service));
  return {
    service,
    shop,
    baseUrl: service.baseUrl,
    call,
    operate: operateScene,
    imagesOf: async (productId) => {
      const { images } = (await operateScene('GET', `/products/${productId}`)) as {
        images: { id: string }[];
      };
      return images.map(({ id }) => id);
    },
    store: (host, options = {}) => addStore(service, shop, host, options),
    certificate: async (id) => succeeded(await call('GET', `/api/v1/mc4p/products/${id}/certificate`)).json,
    verify: async (id, body) =>
      succeeded(await call('POST', `/api/v1/mc4p/products/${id}/verify`, body)).json,
    checkPage: async (url, freshness) =>
      succeeded(await call('POST', '/api/v1/mc4p/page-checks', { url, ...(freshness && { freshness }) }))
        .json,
    signedAnew: async (certificate, changes) => {
      const key = await retiredKey();
      const jwt = await key.sign({ ...claimsOf(certificate), ...changes });
      return { ...certificate, proof: { ...(certificate.proof as Json), jwt } };
    },
    travel: (seconds) => {
      clock.ahead += seconds;
    },
    async close() {
      await service.dispose();
      await shop.close();
    },
  };
}

/** The same for the tests of a file, closed after them. To be called while tests are collected. */
export async function useScene(...given: Parameters<typeof openScene>): Promise<Scene> {
  const scene = await openScene(...given);
  afterAll(() => scene.close());
  return scene;
}

async function callService(
  url: string,
  method: string,
  body: unknown,
  headers: Readonly<Record<string, string>>,
): Promise<Answer> {
  const sent = typeof body === 'string' ? body : JSON.stringify(body);
  const type = body === undefined ? {} : { 'content-type': 'application/json' };
  const response = await fetch(url, {
    method,
    headers: { ...type, ...headers },
    ...(body === undefined ? {} : { body: sent ?? '' }),
  });
  const text = await response.text();
  const isJson = /json/.test(response.headers.get('content-type') ?? '') && text !== '';
  return {
    status: response.status,
    headers: response.headers,
    text,
    json: isJson ? (JSON.parse(text) as Json) : {},
  };
}

function succeeded(answer: Answer): Answer {
  if (answer.status !== 200) throw new Error(`${answer.status} ${answer.text}`);
  return answer;
}

async function addStore(
  service: TestService,
  shop: Shop,
  host: string,
  { planCapacity = 100, proven = true }: { planCapacity?: number; proven?: boolean },
): Promise<SceneStore> {
  const { id, merchantId } = await openStore(service, `http://${host}/`, {
    name: `Shop at ${host}`,
    planCapacity,
    ...(proven && { shop }),
  });
  return {
    id,
    merchantId,
    async product(name, changes = {}) {
      const url = `http://${host}/products/${name}`;
      const images = ['front', 'back'].map((side) => ({ url: `http://${host}/images/${name}-${side}.jpg` }));
      const row = { externalProductId: name, url, name: `The ${name}`, images, ...changes };
      const [productId = ''] = await putProducts(service, id, [row]);
      return { id: productId, url: String(row.url) };
    },
  };
}

/** A former key of the service, which it still knows, and whose private half the scenario has. */
async function addRetiredKey(service: TestService) {
  const key = await createTestIssuer('retired-key');
  const { rows } = await secretsOf(service);
  const now = new Date();
  const public_jwk = { ...key.jwks.keys[0] } as Record<string, string>;
  const times = { published_at: now, active_from: now, retired_at: now, revoked_at: null };
  const row = { kid: key.kid, purpose: 'proofs', public_jwk, ...times } as const;
  await service.database.query(
    `insert into signing_keys (kid, public_jwk, published_at, active_from, retired_at, mac)
     values ($1, $2, $3, $3, $3, $4)`,
    [key.kid, JSON.stringify(public_jwk), now, rows.macOf('signing_keys', row)],
  );
  await announce(service.database.db, [`k:${key.kid}`]);
  const url = `${service.url}/api/v1/.well-known/jwks.json`;
  const isShown = async () => expect(await (await fetch(url)).text()).toContain(key.kid);
  await vi.waitFor(isShown, { interval: 50, ...PATIENT });
  return key;
}

/** The claims of a certificate, unverified. */
export function claimsOf(certificate: Json): Json {
  return part(certificate, 1);
}

/** The header of its proof, unverified. */
export function headerOf(certificate: Json): Json {
  return part(certificate, 0);
}

export function jwtOf(certificate: Json): string {
  return String((certificate.proof as Json | undefined)?.jwt);
}

function part(certificate: Json, index: number): Json {
  const text = Buffer.from(jwtOf(certificate).split('.')[index] ?? '', 'base64url').toString('utf8');
  return JSON.parse(text) as Json;
}

/** The code of each `code: sentence`. */
export function codes(notes: unknown): string[] {
  return (notes as string[]).map((note) => note.slice(0, note.indexOf(':')));
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined;
  return () => {
    made ??= make();
    return made;
  };
}
