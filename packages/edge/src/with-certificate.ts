import { certificateScript } from '@touchstone/certificate/embed';
import {
  type CertificateQuery,
  type Certificates,
  type CertificatesOptions,
  createCertificates,
  DEFAULTS,
} from './certificates.ts';
import { blockTag, pageTag, readCondition } from './entity-tags.ts';
import { isPage, isReadable, withBlock } from './page.ts';
import { endOf, type ServedCertificate } from './service.ts';

/** The context of a worker: the part that is used here. */
export interface WorkerContext {
  waitUntil(work: Promise<unknown>): void;
}

/** Answers a request, as `fetch` of a worker does. */
export type FetchHandler<Env = unknown> = (
  request: Request,
  env?: Env,
  context?: WorkerContext,
) => Promise<Response>;

/** The origin of the shop, and how its product pages are recognised. */
export interface EdgeOptions<Env = unknown> extends CertificatesOptions {
  /** Answers requests; default: `fetch(request)`. */
  readonly origin?:
    | ((request: Request, env: Env, context: WorkerContext) => Promise<Response> | Response)
    | undefined;
  /**
   * Returns the service's id of the page's product; `null` or `undefined` for any other page. Without this option certificates are
   * requested by the addresses of all pages that `match` accepts.
   */
  readonly productId?:
    | ((url: URL, request: Request) => string | null | undefined | Promise<string | null | undefined>)
    | undefined;
  /** Selects the addresses of product pages: a regular expression for the path, or a function; default: all. */
  readonly match?: RegExp | ((url: URL) => boolean) | undefined;
  /** Returns the address under which visitors see the page, if it differs from that of the request. */
  readonly pageUrl?: ((url: URL, request: Request) => string) | undefined;
  /** Returns the `@id` of the page's own Product node. */
  readonly nodeId?: ((url: URL) => string | undefined) | undefined;
  /**
   * Whether pages with a certificate load the badge's script from the service; the badge appears at the page's `<product-certificate>`
   * elements. A Content Security Policy must name the service. Default: no.
   */
  readonly badge?: boolean | undefined;
}

const NO_CONTEXT: WorkerContext = { waitUntil: () => {} };

/**
 * Inserts certificates into the pages of an origin. It never breaks a page: whatever the service does, the page is served,
 * unchanged if there is no certificate for it.
 *
 * @example
 * ```ts
 * import { withCertificate } from '@touchstone/edge';
 *
 * const handler = withCertificate({
 *   service: 'https://certificates.example',
 *   match: /^\/products\//,
 *   origin: () => new Response('<html></html>', { headers: { 'content-type': 'text/html' } }),
 * });
 * await (await handler(new Request('https://shop.example/about'))).text(); // '<html></html>'
 * ```
 */
export function withCertificate<Env = unknown>(options: EdgeOptions<Env>): FetchHandler<Env> {
  const certificates = createCertificates(options);
  const origin = options.origin ?? ((request: Request) => fetch(request));
  return async (request, env, context = NO_CONTEXT) => {
    const fetchOrigin = async (originRequest: Request) => origin(originRequest, env as Env, context);
    if (request.method !== 'GET') return fetchOrigin(request);
    const condition = readCondition(request.headers.get('if-none-match'));
    const response = await fetchOrigin(
      condition === null || condition.blocks.length === 0
        ? request
        : withHeader(request, 'if-none-match', condition.forOrigin),
    );
    const page = { request, context, options, certificates };
    try {
      if (response.status === 304)
        return await notModified(page, response, condition?.blocks ?? [], fetchOrigin);
      return await certified(page, response);
    } catch {
      return response;
    }
  };
}

interface PageRequest<Env> {
  readonly request: Request;
  readonly context: WorkerContext;
  readonly options: EdgeOptions<Env>;
  readonly certificates: Certificates;
}

/** The response with its certificate; the same response if there is none. */
async function certified<Env>(page: PageRequest<Env>, response: Response): Promise<Response> {
  if (!isPage(response)) return response;
  const certificate = await certificateOf(page, 'wait');
  if (certificate === null || !(await isReadable(response))) return response;
  const { now = Date.now, freshFor = DEFAULTS.freshFor } = page.options;
  const script = scriptOf(page, certificate);
  const own = response.headers.get('etag');
  return withBlock(response, {
    script,
    cachedFor: Math.max(0, Math.min(freshFor, Math.floor((endOf(certificate) - now()) / 1000))),
    etag: own === null ? null : pageTag(own, await blockTag(script)),
  });
}

function scriptOf<Env>({ options, request }: PageRequest<Env>, certificate: ServedCertificate): string {
  return certificateScript(certificate, {
    nodeId: options.nodeId?.(new URL(request.url)),
    badge: options.badge,
  });
}

/** The origin answered 304: the page itself has not changed, but its block may have. */
async function notModified<Env>(
  page: PageRequest<Env>,
  response: Response,
  blocks: readonly string[],
  fetchOrigin: (request: Request) => Promise<Response>,
): Promise<Response> {
  const certificate = await certificateOf(page, blocks.length === 0 ? 'kept' : 'wait');
  const block = certificate === null ? undefined : await blockTag(scriptOf(page, certificate));
  if (block === undefined ? blocks.length === 0 : blocks.includes(block)) {
    const tag = block === undefined ? null : pageTag(response.headers.get('etag'), block);
    return tag === null ? response : new Response(null, { status: 304, headers: withTag(response, tag) });
  }
  const headers = new Headers(page.request.headers);
  headers.delete('if-none-match');
  headers.delete('if-modified-since');
  return certified(page, await fetchOrigin(new Request(page.request, { headers })));
}

async function certificateOf<Env>(
  { request, context, options, certificates }: PageRequest<Env>,
  effort: CertificateQuery['effort'],
): Promise<ServedCertificate | null> {
  const url = new URL(request.url);
  const { match, productId } = options;
  if (match instanceof RegExp ? !new RegExp(match).test(url.pathname) : match?.(url) === false) return null;
  const id = await productId?.(url, request);
  if (productId !== undefined && (id ?? '') === '') return null;
  return certificates.find({
    pageUrl: options.pageUrl?.(url, request) ?? url.href,
    productId: id ?? undefined,
    waitUntil: (work) => context.waitUntil(work),
    effort,
  });
}

function withTag(response: Response, tag: string): Headers {
  const headers = new Headers(response.headers);
  headers.set('etag', tag);
  return headers;
}

function withHeader(request: Request, name: string, value: string): Request {
  const headers = new Headers(request.headers);
  headers.set(name, value);
  return new Request(request, { headers });
}
