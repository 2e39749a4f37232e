import { createHash } from 'node:crypto';
import { getVerifierManifest } from '@touchstone/contract';
import { LRUCache } from 'lru-cache';
import type { PageOf, PageReply, PageRequest, Reply } from '../platform/http/route.ts';
import { assetHead, certificateHead, type HeadOf, headOf, pageCheckHead, problemHead } from './heads.ts';
import { htmlDocument } from './html-document.ts';
import { createLanguageOf, type LanguageOf } from './language.ts';
import { type PageRights, pageHeaders } from './page-headers.ts';
import type { HeadText, WebBuild } from './web-build.ts';

/** A page about what an address answers. */
interface AnswerPage {
  /** By which the pages were built. */
  readonly page: string;
  readonly head: HeadOf;
  readonly rights?: PageRights;
}

/** By operation; each is declared in the contract (`page: true`). */
const ANSWER_PAGES: Readonly<Record<string, AnswerPage>> = {
  getProductCertificate: { page: 'certificate', head: certificateHead, rights: { opensImages: true } },
  getAssetCertificate: { page: 'asset', head: assetHead, rights: { opensImages: true } },
  getImageCertificate: { page: 'asset', head: assetHead, rights: { opensImages: true } },
  getPageCheck: { page: 'check', head: pageCheckHead },
};

/** A page that stands for itself. */
interface StandingPage {
  readonly rights?: PageRights;
  /** By which it is installed as an app (Web Application Manifest). */
  readonly manifest?: string;
}

const STANDING_PAGES: Readonly<Record<string, StandingPage>> = {
  check: {},
  verify: { rights: { opensImages: true }, manifest: getVerifierManifest.path },
  console: {},
};

/** What certificates name the service, and what older ones do. */
export interface IssuerAddresses {
  readonly baseUrl: string;
  readonly formerBaseUrls: readonly string[];
}

export interface Pages {
  /** Of a name in `STANDING_PAGES`. */
  standing(name: string, request: PageRequest): Reply;
  /** Of an operation in `ANSWER_PAGES`. */
  about(operation: string): PageOf | undefined;
}

export function createPages(build: WebBuild, addresses: IssuerAddresses): Pages {
  const kept = new Map<string, Reply>();
  const languageOf = createLanguageOf(build.languages);
  const context = { build, ...addresses, languageOf };
  return {
    standing(name, request) {
      const language = languageOf(request);
      const key = `${name} ${language}`;
      const known = kept.get(key) ?? standingPage(name, language, context);
      kept.set(key, known);
      return known;
    },
    about(operation) {
      const page = ANSWER_PAGES[operation];
      return page && keeping((answer, request) => answerPage(page, answer, request, context), languageOf);
    },
  };
}

/** Bytes of pages that are kept: some thousand. */
const KEPT_BYTES = 16_000_000;

/** Makes a page of a document once for as long as that stays the same: what its tag names. */
function keeping(make: PageOf, languageOf: LanguageOf): PageOf {
  const kept = new LRUCache<string, PageReply>({
    maxSize: KEPT_BYTES,
    sizeCalculation: ({ byteText }) => byteText.length,
  });
  return (answer, request) => {
    const tag = answer.headers?.etag;
    if (answer.status !== 200 || tag === undefined) return make(answer, request);
    const key = `${tag} ${languageOf(request)} ${withoutLanguage(request.url)}`;
    const known = kept.get(key);
    if (known !== undefined) return known;
    const made = make(answer, request);
    kept.set(key, made);
    return made;
  };
}

interface Context extends IssuerAddresses {
  readonly build: WebBuild;
  readonly languageOf: LanguageOf;
}

function standingPage(name: string, language: string, { build, baseUrl, formerBaseUrls }: Context): Reply {
  const { rights, manifest } = STANDING_PAGES[name] ?? {};
  const head = headOf(build.textsIn(language), name);
  const data = JSON.stringify({ baseUrl, formerBaseUrls, address: '' });
  const installed = manifest === undefined ? undefined : `${manifest}?lang=${language}`;
  const body = written({ build, page: name, language, head, data, manifest: installed });
  const etag = `"${createHash('sha256').update(body).digest('base64url').slice(0, 27)}"`;
  return { status: 200, headers: { ...pageHeaders(rights), etag }, body };
}

/** Headers that belong to the answer whoever reads it. */
const KEPT: ReadonlySet<string> = new Set([
  'surrogate-key',
  'retry-after',
  'ratelimit',
  'ratelimit-policy',
  'allow',
]);

function answerPage(
  { page, head, rights }: AnswerPage,
  { status, headers = {}, body }: Reply,
  request: PageRequest,
  { build, baseUrl, languageOf }: Context,
): PageReply {
  const language = languageOf(request);
  const texts = build.textsIn(language);
  const json = jsonOf(body);
  const address = withoutLanguage(request.url);
  const member = status === 200 ? `"answer":${json}` : `"problem":${problemOf(status, json)}`;
  const data = `{"baseUrl":${JSON.stringify(baseUrl)},"address":${JSON.stringify(address)},${member}}`;
  const document = JSON.parse(json) as Record<string, unknown>;
  const told = status === 200 ? head(document, texts) : problemHead(status, document, texts);
  const given = Object.entries(headers).map(([name, value]) => [name.toLowerCase(), value] as const);
  const etag = given.find(([name]) => name === 'etag')?.[1];
  return {
    status,
    headers: {
      ...Object.fromEntries(given.filter(([name]) => KEPT.has(name))),
      ...pageHeaders(rights),
      ...(status === 200 ? {} : { 'cache-control': 'no-store' }),
      ...(etag === undefined ? {} : { etag: `${etag.slice(0, -1)}-${build.stamp}-${language}"` }),
    },
    byteText: Buffer.from(written({ build, page, language, head: told, data, address })).toString('latin1'),
    get body() {
      return Buffer.from(this.byteText, 'latin1');
    },
  };
}

interface Written {
  readonly build: WebBuild;
  readonly page: string;
  readonly language: string;
  readonly head: HeadText;
  readonly data: string;
  readonly address?: string;
  readonly manifest?: string | undefined;
}

function written({ build, page, language, head, data, address, manifest }: Written): string {
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

/** The body of a 422 does not say its status. */
function problemOf(status: number, json: string): string {
  return json.startsWith('{"detail":[') ? `{"status":${status},${json.slice(1)}` : json;
}

function jsonOf(body: unknown): string {
  if (typeof body === 'string') return body;
  if (body instanceof Uint8Array)
    return Buffer.from(body.buffer, body.byteOffset, body.byteLength).toString();
  return JSON.stringify(body);
}

function withoutLanguage(url: string): string {
  if (!url.includes('lang=')) return url;
  return url.replace(/([?&])lang=[^&]*&?/, '$1').replace(/[?&]$/, '');
}
