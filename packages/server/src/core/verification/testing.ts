import { expect } from 'vitest';
import type { TestDatabase } from '../../platform/database/testing.ts';
import { type TestService, type TestServiceOptions, testService } from '../../testing.ts';
import { BASE_URL, type TestNode, type TestNodeOptions, testNode } from '../certificates/testing.ts';
import { openVerification, type Verification } from './open-verification.ts';

/** One node that issues and verifies. */
export async function verifyingNode(
  database: TestDatabase,
  options: TestNodeOptions & { readonly formerIssuers?: readonly string[] },
): Promise<TestNode & Verification> {
  const node = await testNode(database, options);
  const { db, secrets, snapshots, keys, proofs, changes: hub, listener: freshness } = node;
  const verification = openVerification({
    db,
    secrets,
    snapshots,
    clock: options.clock,
    keys,
    proofs,
    addresses: options.addresses ?? { baseUrl: BASE_URL, namespaceUrl: `${BASE_URL}/ns#` },
    formerIssuers: options.formerIssuers ?? [],
    caching: { hub, freshness },
  });
  return { ...node, ...verification };
}

export interface Answer {
  readonly status: number;
  readonly headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into whatever was answered
  readonly json: any;
}

/** One image of an active product on a whole service, reached over HTTP, for the statuses of its endpoints. */
export interface ImageScene {
  readonly service: TestService;
  readonly imageId: string;
  readonly productId: string;
  readonly merchantId: string;
  readonly storeId: string;
  get(path: string, headers?: Readonly<Record<string, string>>): Promise<Answer>;
  /** `POST {image_id}/verify`; text is sent unchanged. */
  verify(body: unknown, imageId?: string): Promise<Answer>;
  /** Registry calls with the operator's key. */
  operate(method: string, path: string, body?: unknown): Promise<unknown>;
  close(): Promise<void>;
}

export const DOMAIN = 'shop.example';
export const PRODUCT = {
  externalProductId: 'cup-1',
  url: `https://${DOMAIN}/products/cup`,
  name: 'Stoneware cup',
  sku: 'CUP-1',
  gtin: '4006381333931',
  images: [{ url: `https://${DOMAIN}/cup.jpg?v=1`, externalId: 'media-1' }],
};

export async function imageScene(options: TestServiceOptions = {}): Promise<ImageScene> {
  const service = await testService(options);
  const operate: ImageScene['operate'] = (method, path, body) =>
    service.operate(method, `/api/v1/registry${path}`, body);
  const merchant = (await operate('POST', '/merchants', { name: 'Merchant', planCapacity: 5 })) as {
    id: string;
  };
  const store = (await operate('POST', '/stores', {
    merchantId: merchant.id,
    name: 'The Shop',
    url: `https://${DOMAIN}/`,
    platform: 'shopify',
  })) as { id: string };
  await operate('POST', `/stores/${store.id}/domains`, { hostname: `www.${DOMAIN}` });
  const { results } = (await operate('PUT', `/stores/${store.id}/products`, [PRODUCT])) as {
    results: { id: string }[];
  };
  const productId = results[0]?.id ?? '';
  const { images } = (await operate('GET', `/products/${productId}`)) as { images: { id: string }[] };
  const imageId = images[0]?.id ?? '';
  const call = async (path: string, init?: RequestInit): Promise<Answer> => {
    const response = await fetch(service.url + path, init);
    const text = await response.text();
    return {
      status: response.status,
      headers: response.headers,
      json: text === '' ? null : JSON.parse(text),
    };
  };
  return {
    service,
    imageId,
    productId,
    merchantId: merchant.id,
    storeId: store.id,
    get: (path, headers = {}) => call(`/api/v1/mc4p${path}`, { headers }),
    verify: (body, id = imageId) =>
      call(`/api/v1/mc4p/${id}/verify`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: typeof body === 'string' ? body : JSON.stringify(body),
      }),
    operate,
    close: () => service.dispose(),
  };
}

/** An expected problem document of this service with additional members. */
export function problem(status: number, code: string, members: Readonly<Record<string, unknown>> = {}) {
  return {
    type: expect.stringMatching(new RegExp(`/docs/codes#${code}$`)),
    title: expect.any(String),
    status,
    detail: expect.any(String),
    code,
    requestId: expect.any(String),
    ...members,
  };
}

/** A result of image-keyed verification that failed for these reasons, and for no others. */
export function failedResult(imageId: string, checks: object, ...codes: readonly string[]) {
  const isSignatureValid = !codes.includes('proof_invalid');
  return {
    verified: false,
    imageId,
    authorizedDomain: DOMAIN,
    currentDomain: expect.any(String),
    ...(isSignatureValid ? { signed: expect.objectContaining({ kind: 'image' }) } : {}),
    checks: { domainMatches: true, certificateConsistency: true, ...checks },
    warnings: expect.any(Array),
    errors: codes.map((code) => expect.stringMatching(new RegExp(`^${code}: `))),
    verifier: expect.any(String),
  };
}
