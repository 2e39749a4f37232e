/** For tests: a service with scripted answers, a cache and a clock. */
import {
  createTestIssuer,
  TEST_ISSUER,
  TEST_PRODUCT,
  type TestIssuer,
} from '@touchstone/certificate/testing';
import { memoryCache } from './cache.ts';
import type { CertificatesOptions } from './certificates.ts';

export const PAGE_URL = TEST_PRODUCT.url;
export const PRODUCT_ID = TEST_PRODUCT.productId;
export const PAGE =
  '<!doctype html><html><head><title>Cup</title></head><body><h1>Cup – é</h1></body></html>';
export const NOW = new Date('2026-03-01T12:00:00Z').getTime();
export const HOUR = 3_600_000;

export interface ServiceCall {
  readonly url: string;
  readonly etag: string | null;
}

export interface TestEdge {
  readonly options: CertificatesOptions & { readonly productId: () => string };
  readonly issuer: TestIssuer;
  readonly asked: ServiceCall[];
  /** Sets the service's answers; default: those of `issue`. */
  answer(answer: (call: ServiceCall, signal: AbortSignal | null) => Promise<Response> | Response): void;
  /** Issues a certificate at this time; the service answers with it, or with 304 for its ETag. */
  issue(at?: number): Promise<void>;
  travel(milliseconds: number): void;
}

export async function testEdge(): Promise<TestEdge> {
  const issuer = await createTestIssuer();
  const asked: ServiceCall[] = [];
  let time = NOW;
  let answering: Parameters<TestEdge['answer']>[0] = () => new Response(null, { status: 500 });
  const issue: TestEdge['issue'] = async (at = time) => {
    const certificate = await issuer.certificate({ issuedAt: new Date(at) });
    answering = ({ etag }) =>
      etag === `"${at}"` ? new Response(null, { status: 304 }) : certificateAnswer(certificate, `"${at}"`);
  };
  await issue();
  return {
    issuer,
    asked,
    issue,
    options: {
      service: TEST_ISSUER,
      cache: memoryCache(),
      now: () => time,
      productId: () => PRODUCT_ID,
      patience: 5_000,
      fetch: async (url, init) => {
        const call = { url, etag: new Headers(init.headers).get('if-none-match') };
        asked.push(call);
        return answering(call, init.signal ?? null);
      },
    },
    answer(next) {
      answering = next;
    },
    travel(milliseconds) {
      time += milliseconds;
    },
  };
}

export function certificateAnswer(certificate: object, etag: string): Response {
  return new Response(JSON.stringify(certificate), {
    headers: { 'content-type': 'application/ld+json', etag, 'cache-control': 'public, max-age=86400' },
  });
}

export function problem(status: number, code: string): Response {
  return new Response(JSON.stringify({ code }), {
    status,
    headers: { 'content-type': 'application/problem+json' },
  });
}

/** Collects work that continues after a response. */
export interface Background {
  readonly waitUntil: (work: Promise<unknown>) => void;
  done(): Promise<void>;
}

export function background(): Background {
  const works: Promise<unknown>[] = [];
  return {
    waitUntil: (work) => void works.push(work),
    async done() {
      while (works.length > 0) await works.pop();
    },
  };
}
