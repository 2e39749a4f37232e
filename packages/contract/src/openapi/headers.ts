import { CERTIFICATE_CACHE_CONTROL } from '../limits.ts';
import type { Operation } from '../operation.ts';
import type { JsonObject } from './components.ts';

/** A response header: its meaning, and an example. */
interface HeaderShape {
  readonly description: string;
  readonly example: string;
  readonly type?: 'string' | 'integer';
}

const HEADERS = {
  'X-Request-Id': {
    description: 'Sent by the caller, or generated; logs and problems repeat it.',
    example: 'req-7f3a',
  },
  'Cache-Control': { description: 'How long the response may be cached (RFC 9111).', example: 'no-store' },
  'CDN-Cache-Control': {
    description:
      'The same for shared caches (RFC 9213), which may also answer for a minute while the service fails (RFC 5861).',
    example: 'public, max-age=86400, stale-if-error=60',
  },
  ETag: {
    description: 'For If-None-Match; the same on every node.',
    example: '"hG5x0DbGmlyYvWrq6ZJpKcXMeVE"',
  },
  'Surrogate-Key': {
    description: 'Lets a CDN purge all documents of a product.',
    example: 'product-7c9e6679-7425-40de-944b-e07fc1f90ae7',
  },
  'Content-Location': {
    description: 'Address of the same document by product id.',
    example: '/api/v1/mc4p/products/7c9e6679-7425-40de-944b-e07fc1f90ae7/certificate',
  },
  Link: {
    description:
      'The same address (`canonical`), and the certificates of other products of the page (`alternate`).',
    example: '</api/v1/mc4p/products/7c9e6679-7425-40de-944b-e07fc1f90ae7/certificate>; rel="canonical"',
  },
  Location: {
    description: 'Where the progress can be read.',
    example: '/api/v1/registry/changes/2f1c9d53-0c4e-4d0f-9b55-0d7a3f0c1e22',
  },
  'Retry-After': { description: 'Seconds to wait before a retry.', example: '5', type: 'integer' },
  RateLimit: {
    description: 'Calls left for this caller, and seconds until there are more.',
    example: '"fresh";r=9;t=60',
  },
  'RateLimit-Policy': {
    description: 'The limit, and its window in seconds.',
    example: '"fresh";q=10;w=60',
  },
  'WWW-Authenticate': {
    description: 'The required authentication scheme.',
    example: 'Bearer realm="touchstone"',
  },
  'Access-Control-Allow-Origin': {
    description: 'Scripts of any origin may read the response.',
    example: '*',
  },
  Vary: { description: 'Browsers get an HTML page at the same address.', example: 'Accept' },
  'Idempotency-Replayed': {
    description: 'true if this response was already sent for the same Idempotency-Key; otherwise absent.',
    example: 'true',
  },
} as const satisfies Readonly<Record<string, HeaderShape>>;

export type HeaderName = keyof typeof HEADERS;

/** Headers of a response, and whether each is always sent. */
type Headers = Partial<Record<HeaderName, { readonly always: boolean; readonly example?: string }>>;

const ALWAYS = { always: true } as const;
const SOMETIMES = { always: false } as const;
const NO_STORE = { 'Cache-Control': { always: true, example: 'no-store' } } as const;
/** Statuses of faults that must not be cached, so that an absence or failure is not served after it has ended. */
const UNCACHEABLE = [401, 402, 404, 429];

/** Describes the headers of one response of an operation. */
export function describeHeaders(operation: Operation, status: number): JsonObject {
  const headers: Headers = {
    ...(operation.anyOrigin === true ? { 'Access-Control-Allow-Origin': ALWAYS } : {}),
    ...(status in operation.replies ? replyHeaders(operation, status) : faultHeaders(operation, status)),
    'X-Request-Id': ALWAYS,
  };
  return Object.fromEntries(
    Object.entries(headers).map(([name, { always, example }]) => {
      const shape: HeaderShape = HEADERS[name as HeaderName];
      const type = shape.type ?? 'string';
      const value = example ?? shape.example;
      const schema = { type, example: type === 'integer' ? Number(value) : value };
      return [name, { description: shape.description, ...(always ? { required: true } : {}), schema }];
    }),
  );
}

function replyHeaders(operation: Operation, status: number): Headers {
  const shape = operation.replies[status === 304 ? 200 : status];
  const hasBody = status === 304 || shape?.schema !== undefined || shape?.mediaType !== undefined;
  const cacheControl = operation.cacheControl;
  return {
    ...(cacheControl === undefined
      ? {}
      : { 'Cache-Control': { always: true, example: cacheControl }, ETag: ALWAYS }),
    ...(operation.noStore === true && hasBody ? NO_STORE : {}),
    ...(status === 202 ? { Location: ALWAYS } : {}),
    ...(operation.contentLocation === true
      ? { 'Content-Location': ALWAYS, Link: { always: status !== 304 } }
      : {}),
    ...(operation.page === true || shape?.alsoAs !== undefined ? { Vary: ALWAYS } : {}),
    ...(operation.surrogateKey === true ? { 'Surrogate-Key': ALWAYS } : {}),
    ...(cacheControl === CERTIFICATE_CACHE_CONTROL ? { 'CDN-Cache-Control': SOMETIMES } : {}),
    ...(operation.errors.includes('fresh_rate_limited')
      ? { RateLimit: SOMETIMES, 'RateLimit-Policy': SOMETIMES }
      : {}),
    ...(operation.idempotent === true ? { 'Idempotency-Replayed': SOMETIMES } : {}),
  };
}

function faultHeaders(operation: Operation, status: number): Headers {
  return {
    'Cache-Control': { always: UNCACHEABLE.includes(status) || status >= 500, example: 'no-store' },
    ...(status === 503 || status === 429 ? { 'Retry-After': ALWAYS } : {}),
    ...(status === 409 ? { 'Retry-After': SOMETIMES } : {}),
    ...(status === 429 ? { RateLimit: SOMETIMES, 'RateLimit-Policy': SOMETIMES } : {}),
    ...(status === 401 ? { 'WWW-Authenticate': ALWAYS } : {}),
    ...(operation.idempotent === true ? { 'Idempotency-Replayed': SOMETIMES } : {}),
  };
}
