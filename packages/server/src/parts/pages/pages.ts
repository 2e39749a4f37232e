import { createHash } from 'node:crypto';
import { getVerifierManifest } from '@touchstone/contract';
import { LRUCache } from 'lru-cache';
import { ByteText } from '../../platform/http/rendered-document.ts';
import type { PageOf, PageReply, PageRequest, Reply } from '../../platform/http/route.ts';
import {
  assetHead,
  certificateHead,
  domainLogHead,
  downloadsHead,
  type HeadOf,
  headOf,
  pageCheckHead,
  problemHead,
  siteHead,
} from './heads.ts';
import { htmlDocument } from './html-document.ts';
import { createLanguageOf, type LanguageOf } from './language.ts';
import { type PageRights, pageHeaders } from './page-headers.ts';
import type { HeadText, WebBuild } from './web-build.ts';

/** A page that shows the answer of an operation. */
interface AnswerPage {
  /** Name of the page in the build. */
  readonly page: string;
  readonly head: HeadOf;
  /** Name of its texts for an address that is invalid. */
  readonly malformed?: string;
  readonly rights?: PageRights;
}

/** By operation; each is declared in the contract (`page: true`). */
const ANSWER_PAGES: Readonly<Record<string, AnswerPage>> = {
  getProductCertificate: { page: 'certificate', head: certificateHead, rights: { opensImages: true } },
  getAssetCertificate: { page: 'asset', head: assetHead, rights: { opensImages: true } },
  getImageCertificate: { page: 'asset', head: assetHead, rights: { opensImages: true } },
  getPageCheck: { page: 'check', head: pageCheckHead },
  getDomainLog: { page: 'log', head: domainLogHead, malformed: 'noHost' },
  getSite: { page: 'site', head: siteHead, malformed: 'noHost' },
  listDownloads: { page: 'downloads', head: downloadsHead },
};

/** A page that does not depend on an answer. */
interface StaticPage {
  readonly rights?: PageRights;
  /** Path of the web application manifest, for a page that can be installed. */
  readonly manifest?: string;
}

const STATIC_PAGES: Readonly<Record<string, StaticPage>> = {
  check: {},
  verify: { rights: { opensImages: true }, manifest: getVerifierManifest.path },
  console: {},
};

/** What pages are told about the service. */
export interface ServiceFacts {
  /** Its present and former base addresses, as certificates state them. */
  readonly baseUrl: string;
  readonly formerBaseUrls: readonly string[];
  /** The parts that it is without. */
  readonly without: readonly string[];
}

export interface Pages {
  /** @param name - of a page in `STATIC_PAGES` */
  staticPage(name: string, request: PageRequest): Reply;
  /** Renders the answers of an operation; `undefined` if it has no page. */
  pageFor(operation: string): PageOf | undefined;
}

export function createPages(build: WebBuild, facts: ServiceFacts): Pages {
  const cache = new Map<string, Reply>();
  const languageOf = createLanguageOf(build.languages);
  const context = { build, ...facts, languageOf };
  return {
    staticPage(name, request) {
      const language = languageOf(request);
      const key = `${name} ${language}`;
      const reply = cache.get(key) ?? renderStaticPage(name, language, context);
      cache.set(key, reply);
      return reply;
    },
    pageFor(operation) {
      const page = ANSWER_PAGES[operation];
      return page && cached((answer, request) => renderAnswer(page, answer, request, context), languageOf);
    },
  };
}

/** Bytes of cached pages: enough for some thousand. */
const CACHE_BYTES = 16_000_000;

/** Renders each answer once per language and address for as long as its ETag stays the same. */
function cached(render: PageOf, languageOf: LanguageOf): PageOf {
  const cache = new LRUCache<string, PageReply>({
    maxSize: CACHE_BYTES,
    sizeCalculation: ({ body }) => body.latin1.length,
  });
  return (answer, request) => {
    const tag = answer.headers?.etag;
    if (answer.status !== 200 || tag === undefined) return render(answer, request);
    const key = `${tag} ${languageOf(request)} ${withoutLanguage(request.url)}`;
    const known = cache.get(key);
    if (known !== undefined) return known;
    const page = render(answer, request);
    cache.set(key, page);
    return page;
  };
}

interface Context extends ServiceFacts {
  readonly build: WebBuild;
  readonly languageOf: LanguageOf;
}

function renderStaticPage(
  name: string,
  language: string,
  { build, baseUrl, formerBaseUrls, without }: Context,
): Reply {
  const { rights, manifest } = STATIC_PAGES[name] ?? {};
  const head = headOf(build.textsIn(language), name);
  const data = JSON.stringify({ baseUrl, formerBaseUrls, ...missing(without), address: '' });
  const manifestPath = manifest === undefined ? undefined : `${manifest}?lang=${language}`;
  const body = renderHtml({ build, page: name, language, head, data, manifest: manifestPath });
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  return { status: 200, headers: { ...pageHeaders(rights), etag }, body };
}

/** Headers of an answer that its page has, too. */
const KEPT_HEADERS: ReadonlySet<string> = new Set([
  'surrogate-key',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'allow',
]);

function renderAnswer(
  { page, head, malformed, rights }: AnswerPage,
  { status, headers = {}, body }: Reply,
  request: PageRequest,
  { build, baseUrl, without, languageOf }: Context,
): PageReply {
  const language = languageOf(request);
  const texts = build.textsIn(language);
  const json = jsonOf(body);
  const address = withoutLanguage(request.url);
  const member = status === 200 ? `"answer":${json}` : `"problem":${problemOf(status, json)}`;
  const facts = JSON.stringify({ baseUrl, ...missing(without), address });
  const data = `${facts.slice(0, -1)},${member}}`;
  const document = JSON.parse(json) as Record<string, unknown>;
  const headText =
    status === 200 ? head(document, texts, language) : problemHead(status, document, texts, malformed);
  const { etag, 'cache-control': cacheControl = '' } = headers;
  const isCacheable = status === 200 && !/\bno-store\b/.test(cacheControl);
  return {
    status,
    headers: {
      ...Object.fromEntries(Object.entries(headers).filter(([name]) => KEPT_HEADERS.has(name))),
      ...pageHeaders(rights),
      ...(isCacheable ? {} : { 'cache-control': 'no-store' }),
      ...(etag === undefined ? {} : { etag: `${etag.slice(0, -1)}-${build.stamp}-${language}"` }),
    },
    body: ByteText.of(renderHtml({ build, page, language, head: headText, data, address })),
  };
}

interface HtmlParts {
  readonly build: WebBuild;
  readonly page: string;
  readonly language: string;
  readonly head: HeadText;
  readonly data: string;
  readonly address?: string;
  readonly manifest?: string | undefined;
}

function renderHtml({ build, page, language, head, data, address, manifest }: HtmlParts): string {
  const texts = build.textsIn(language);
  return htmlDocument({
    language,
    title: head.title,
    site: texts.head.site,
    description: head.description,
    style: build.style,
    ...build.scriptOf(page, language),
    data,
    withoutScript: texts.head.withoutScript,
    manifest,
    asData: address === undefined ? undefined : { href: address, label: texts.head.asData },
  });
}

/** Pages of a complete service do not mention its parts. */
function missing(without: readonly string[]): { readonly without?: readonly string[] } {
  return without.length === 0 ? {} : { without };
}

/** Adds the status to the body of a 422, which does not contain it. */
function problemOf(status: number, json: string): string {
  return json.startsWith('{"detail":[') ? `{"status":${status},${json.slice(1)}` : json;
}

function jsonOf(body: unknown): string {
  return body instanceof ByteText ? body.toString() : JSON.stringify(body);
}

function withoutLanguage(url: string): string {
  if (!url.includes('lang=')) return url;
  return url.replace(/([?&])lang=[^&]*&?/, '$1').replace(/[?&]$/, '');
}
