import { certificateScript } from '@touchstone/certificate/embed';
import { endOf, type ServedCertificate } from './answer.ts';
import {
  type CertificateQuery,
  type Certificates,
  type CertificatesOptions,
  createCertificates,
} from './certificates.ts';
import { blockTag, pageTag, readCondition } from './entity-tags.ts';
import { isPage, isReadable, withBlock } from './page.ts';

/** What a worker is given beside the request, as far as it is used. */
export interface WorkerContext {
  waitUntil(work: Promise<unknown>): void;
}

/** Answers a request, as `fetch` of a worker does. */
export type FetchHandler<Env = unknown> = (
  request: Request,
  env?: Env,
  context?: WorkerContext,
) => Promise<Response>;

/** What answers for the shop, and which of its pages are of which products. */
export interface EdgeOptions<Env = unknown> extends CertificatesOptions {
  /** What answers without us; default: the origin, by `fetch`. */
  readonly origin?:
    | ((request: Request, env: Env, context: WorkerContext) => Promise<Response> | Response)
    | undefined;
  /**
   * The service's id of the product whose page this is; `null` or `undefined` for any other page. Without this option the
   * service is asked by the address of every page that `match` lets through.
   */
  readonly productId?:
    | ((url: URL, request: Request) => string | null | undefined | Promise<string | null | undefined>)
    | undefined;
  /** Which addresses are those of product pages; default: all. */
  readonly match?: RegExp | ((url: URL) => boolean) | undefined;
  /** The address under which visitors see the page, where it is not that of the request. */
  readonly pageUrl?: ((url: URL, request: Request) => string) | undefined;
  /** The `@id` of the Product node that the page prints itself. */
  readonly nodeId?: ((url: URL) => string | undefined) | undefined;
  /**
   * Whether pages with a certificate load the badge's script from the service; the badge shows where the page has a
   * `<product-certificate>` element. A Content Security Policy must name the service. Default: no.
   */
  readonly badge?: boolean | undefined;
}

const NO_CONTEXT: WorkerContext = { waitUntil: () => {} };

/**
 * Puts certificates into the pages that an origin answers. It is never in the way of a page: whatever the service does, the
 * page comes, and as it was where there is no certificate for it.
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
    const ask = async (asked: Request) => origin(asked, env as Env, context);
    if (request.method !== 'GET') return ask(request);
    const condition = readCondition(request.headers.get('if-none-match'));
    const response = await ask(
      condition === null || condition.blocks.length === 0
        ? request
        : withHeader(request, 'if-none-match', condition.forOrigin),
    );
    const page = { request, context, options, certificates };
    try {
      if (response.status === 304) return await unchanged(page, response, condition?.blocks ?? [], ask);
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

/** The answer with its certificate; the same answer where there is none. */
async function certified<Env>(page: PageRequest<Env>, response: Response): Promise<Response> {
  if (!isPage(response)) return response;
  const certificate = await certificateOf(page, 'wait');
  if (certificate === null || !(await isReadable(response))) return response;
  const now = page.options.now ?? Date.now;
  const script = scriptOf(page, certificate);
  const own = response.headers.get('etag');
  return withBlock(response, {
    script,
    holdsFor: Math.max(0, Math.floor((endOf(certificate) - now()) / 1000)),
    etag: own === null ? null : pageTag(own, await blockTag(script)),
  });
}

function scriptOf<Env>({ options, request }: PageRequest<Env>, certificate: ServedCertificate): string {
  return certificateScript(certificate, {
    nodeId: options.nodeId?.(new URL(request.url)),
    badge: options.badge,
  });
}

/** The page is as the client has it; the block in it may be another by now. */
async function unchanged<Env>(
  page: PageRequest<Env>,
  response: Response,
  blocks: readonly string[],
  ask: (request: Request) => Promise<Response>,
): Promise<Response> {
  const certificate = await certificateOf(page, blocks.length === 0 ? 'kept' : 'now');
  const block = certificate === null ? undefined : await blockTag(scriptOf(page, certificate));
  if (block === undefined ? blocks.length === 0 : blocks.includes(block)) {
    const tag = block === undefined ? null : pageTag(response.headers.get('etag'), block);
    return tag === null ? response : new Response(null, { status: 304, headers: withTag(response, tag) });
  }
  const whole = new Headers(page.request.headers);
  whole.delete('if-none-match');
  whole.delete('if-modified-since');
  return certified(page, await ask(new Request(page.request, { headers: whole })));
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
