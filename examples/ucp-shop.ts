/**
 * The catalogue of a shop in UCP (Universal Commerce Protocol, REST), whose products carry their certificates:
 *
 *   node examples/ucp-shop.ts https://certificates.example products.json https://shop.example 8080
 *
 * (Node 22.18 or later, which runs TypeScript; here also node_modules/.bin/node.)
 *
 * `products.json` is an array of products as UCP has them, each with the `url` of its page. The certificate of the page is fetched from the
 * service that issues it and put into `metadata`, unchanged, unless the product has one. Search takes words of titles, lookup the ids of
 * products and variants. A real shop also reads the profile that a request names in UCP-Agent, and answers with what both support.
 */
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { UcpProfile } from '@touchstone/contract';

const [service, file, shop, port] = process.argv.slice(2);
if (service === undefined || file === undefined || shop === undefined || port === undefined) {
  process.stderr.write('node examples/ucp-shop.ts <service> <products.json> <address of the shop> <port>\n');
  process.exit(64);
}

interface Product {
  readonly id: string;
  readonly title: string;
  readonly url: string;
  readonly variants: readonly { readonly id: string }[];
  readonly metadata?: Readonly<Record<string, unknown>>;
}

const UCP = '2026-04-08';
const SERVICE = 'dev.ucp.shopping';
const SEARCH = 'dev.ucp.shopping.catalog.search';
const LOOKUP = 'dev.ucp.shopping.catalog.lookup';
const ENDPOINT = '/ucp/v1';
/** Milliseconds: certificates are renewed days before they expire, but can be withdrawn. */
const KEPT = 60_000;
const MOST_BYTES = 100_000;

const products = JSON.parse(await readFile(file, 'utf8')) as readonly Product[];
const { capabilities } = ((await (await fetch(`${service}/.well-known/ucp`)).json()) as UcpProfile).ucp;
const [extension] = Object.keys(capabilities);
if (extension === undefined) throw new Error(`${service} has no extension of UCP`);

const known = new Map<string, { readonly until: number; readonly document: Promise<unknown> }>();

/** The certificate that the service serves for a page; `undefined`: none. */
function certificateOf(page: string): Promise<unknown> {
  const kept = known.get(page);
  if (kept !== undefined && kept.until > Date.now()) return kept.document;
  const document = fetchCertificate(page).catch((error: unknown) => {
    // without it the product is still for sale
    process.stderr.write(`no certificate of ${page}: ${error}\n`);
    known.delete(page);
    return undefined;
  });
  known.set(page, { until: Date.now() + KEPT, document });
  return document;
}

async function fetchCertificate(page: string): Promise<unknown> {
  const response = await fetch(`${service}/api/v1/mc4p/certificates?url=${encodeURIComponent(page)}`);
  if (response.status === 404) return undefined;
  if (!response.ok) throw new Error(`${response.status} ${await response.text()}`);
  return response.json();
}

async function certified(product: Product): Promise<Product> {
  const name = extension as string;
  if (product.metadata?.[name] !== undefined) return product;
  const document = await certificateOf(product.url);
  return document === undefined
    ? product
    : { ...product, metadata: { ...product.metadata, [name]: document } };
}

const profile = {
  ucp: {
    version: UCP,
    services: {
      [SERVICE]: [{ version: UCP, transport: 'rest', endpoint: shop + ENDPOINT }],
    },
    capabilities: {
      [SEARCH]: [{ version: UCP, schema: `https://ucp.dev/${UCP}/schemas/shopping/catalog_search.json` }],
      [LOOKUP]: [{ version: UCP, schema: `https://ucp.dev/${UCP}/schemas/shopping/catalog_lookup.json` }],
      // as the service that issues the certificates declares it
      [extension]: capabilities[extension],
    },
    payment_handlers: {},
  },
};

const envelope = (capability: string, status: 'success' | 'error' = 'success') => ({
  version: UCP,
  status,
  capabilities: {
    [capability]: [{ version: UCP }],
    [extension]: (capabilities[extension] ?? []).map(({ version }) => ({ version })),
  },
});

type Asked = Readonly<Record<string, unknown>>;

async function search({ query }: Asked) {
  const words = typeof query === 'string' ? query.toLowerCase().split(/\s+/) : [];
  const found = products.filter(({ title }) => words.every((word) => title.toLowerCase().includes(word)));
  return { ucp: envelope(SEARCH), products: await Promise.all(found.map(certified)) };
}

async function lookup({ ids }: Asked) {
  if (!Array.isArray(ids) || ids.length === 0 || ids.length > 100 || ids.some((id) => typeof id !== 'string'))
    return undefined;
  const asked = [...new Set(ids as readonly string[])];
  const answered = products.flatMap((product) => {
    const variants = product.variants.flatMap((variant, index) => {
      const inputs = asked.flatMap((id) => {
        if (id === variant.id) return [{ id, match: 'exact' }];
        return id === product.id && index === 0 ? [{ id, match: 'featured' }] : [];
      });
      return inputs.length === 0 ? [] : [{ ...variant, inputs }];
    });
    return variants.length === 0 ? [] : [{ ...product, variants }];
  });
  const resolved = new Set(
    answered.flatMap(({ variants }) => variants.flatMap(({ inputs }) => inputs.map(({ id }) => id))),
  );
  const missing = asked.filter((id) => !resolved.has(id));
  return {
    ucp: envelope(LOOKUP),
    products: await Promise.all(answered.map(certified)),
    ...(missing.length === 0
      ? {}
      : { messages: missing.map((id) => ({ type: 'info', code: 'not_found', content: id })) }),
  };
}

async function detail({ id }: Asked) {
  if (typeof id !== 'string') return undefined;
  const found = products.find((one) => one.id === id || one.variants.some((variant) => variant.id === id));
  if (found !== undefined) return { ucp: envelope(LOOKUP), product: await certified(found) };
  const message = {
    type: 'error',
    code: 'not_found',
    content: `Product not found: ${id}`,
    severity: 'unrecoverable',
  };
  return { ucp: envelope(LOOKUP, 'error'), messages: [message] };
}

const OPERATIONS: Readonly<Record<string, (asked: Asked) => Promise<object | undefined>>> = {
  [`${ENDPOINT}/catalog/search`]: search,
  [`${ENDPOINT}/catalog/lookup`]: lookup,
  [`${ENDPOINT}/catalog/product`]: detail,
};

const server = createServer(async (request, response) => {
  const answer = (status: number, body: object, headers: Readonly<Record<string, string>> = {}) =>
    response
      .writeHead(status, { 'content-type': 'application/json', 'cache-control': 'no-store', ...headers })
      .end(JSON.stringify(body));
  const [path = ''] = (request.url ?? '').split('?');
  if (request.method === 'GET' && path === '/.well-known/ucp') {
    answer(200, profile, { 'cache-control': 'public, max-age=300' });
    return;
  }
  const operation = request.method === 'POST' ? OPERATIONS[path] : undefined;
  if (operation === undefined) {
    answer(404, {});
    return;
  }
  try {
    if (!(Number(request.headers['content-length']) <= MOST_BYTES)) throw new SyntaxError('too large');
    const asked: unknown = JSON.parse(await text(request));
    const done = typeof asked === 'object' && asked !== null ? await operation(asked as Asked) : undefined;
    if (done === undefined) throw new SyntaxError('not as the schema has it');
    answer(200, done);
  } catch (error) {
    if (!(error instanceof SyntaxError)) process.stderr.write(`${error}\n`);
    answer(error instanceof SyntaxError ? 400 : 500, {});
  }
});
server.listen(Number(port), '127.0.0.1', () => process.stdout.write(`the catalogue is at port ${port}\n`));
