/** A running service, and the key of its operator. */
export interface Operated {
  readonly url: string;
  readonly operatorKey?: string | undefined;
}

export interface Reply {
  readonly status: number;
  readonly headers: Headers;
  readonly text: string;
}

/** So many fetches that an answer depends on the page alone. */
export const UNLIMITED_FETCHES = {
  TOUCHSTONE_FETCH_PER_CALLER: '1000000',
  TOUCHSTONE_FETCH_PER_HOST: '1000000',
  TOUCHSTONE_FETCH_TOTAL: '1000000',
  TOUCHSTONE_PAGE_CHECK_MB_PER_CALLER: '2000',
};

/** One call with the operator's key, at a path from the service's root. A text is sent as lines of JSON. */
export async function callService(
  { url, operatorKey }: Operated,
  method: string,
  path: string,
  body?: unknown,
): Promise<Reply> {
  const isText = typeof body === 'string';
  const response = await fetch(url + path, {
    method,
    headers: {
      authorization: `Bearer ${operatorKey}`,
      ...(body === undefined ? {} : { 'content-type': isText ? 'application/x-ndjson' : 'application/json' }),
    },
    ...(body === undefined ? {} : { body: isText ? body : JSON.stringify(body) }),
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

/** A call with the operator's key that must succeed; `path` is one of the registry, or one that begins with `/api`. */
export async function operate<T = Record<string, unknown>>(
  service: Operated,
  method: string,
  path: string,
  body?: unknown,
): Promise<T> {
  const whole = path.startsWith('/api') ? path : `/api/v1/registry${path}`;
  const { status, text } = await callService(service, method, whole, body);
  if (status >= 300) throw new Error(`${method} ${path}: ${status} ${text}`);
  return (text === '' ? {} : JSON.parse(text)) as T;
}

export interface StoreOptions {
  /** Absent: the host. */
  readonly name?: string;
  /** Absent: a new merchant. */
  readonly merchantId?: string;
  /** Of a new merchant. */
  readonly planCapacity?: number;
  readonly signImages?: boolean;
  /** Shows the proof of control; the host is then proven. */
  readonly shop?: { showChallenge(host: string, challenge: string): void };
}

export interface OpenedStore {
  readonly id: string;
  readonly merchantId: string;
}

/** Registers a store at an address. */
export async function openStore(
  service: Operated,
  url: string,
  { shop, planCapacity = 1_000_000, ...options }: StoreOptions = {},
): Promise<OpenedStore> {
  const { host } = new URL(url);
  const { name = host, signImages } = options;
  const merchantId =
    options.merchantId ??
    (
      await operate<{ id: string }>(service, 'POST', '/merchants', {
        name: `Merchant of ${host}`,
        planCapacity,
      })
    ).id;
  const store = await operate<{ id: string; domains: { challenge: string }[] }>(service, 'POST', '/stores', {
    merchantId,
    name,
    url,
    signImages,
  });
  if (shop !== undefined) {
    shop.showChallenge(host, store.domains[0]?.challenge ?? '');
    const proof = await operate(service, 'POST', `/stores/${store.id}/domains/${host}/verify`);
    if (proof.verified !== true) throw new Error(`${host} was not proven: ${JSON.stringify(proof)}`);
  }
  return { id: store.id, merchantId };
}

/** Sends products, all of which must be taken; their ids. */
export async function putProducts(
  service: Operated,
  storeId: string,
  rows: readonly object[],
): Promise<string[]> {
  const path = `/stores/${storeId}/products`;
  const { results } = await operate<{ results: { id?: string }[] }>(service, 'PUT', path, rows);
  return results.map((result) => {
    if (result.id === undefined) throw new Error(`no product: ${JSON.stringify(result)}`);
    return result.id;
  });
}
