import { openApiCheck } from '../../kit/openapi.ts';
import type { DocumentVector, PageVector, ProofVector, Vector } from '../../kit/vectors.ts';
import {
  answersOf,
  codesOf,
  expectedWithRegistry,
  type Outcome,
  pageOutcome,
  proofAnswers,
  type Transport,
} from './transport.ts';
import { notForService, vectorServer } from './vector-server.ts';

/** Maximum bytes of a body that the service accepts. */
const BODY_LIMIT = 1024 * 1024;

/** The service's routes over real HTTP (`vectorServer`). */
export async function httpTransport(): Promise<Transport> {
  const server = await vectorServer();
  const url = `${server.url}/api/v1/mc4p`;
  const conforms = openApiCheck();
  const post: Post = async (address, body) => {
    const headers = { 'content-type': 'application/json' };
    const response = await fetch(address, { method: 'POST', headers, body });
    const text = await response.text();
    conforms('POST', new URL(address).pathname, { status: response.status, headers: response.headers, text });
    return { status: response.status, json: JSON.parse(text) as Record<string, unknown> };
  };
  return {
    name: 'http',
    cannot: notForService,
    expected: (vector) =>
      bodyOf(vector).length > BODY_LIMIT
        ? { status: 'refused: body_too_large' }
        : expectedWithRegistry(vector),
    async run(vector, keys) {
      if (vector.kind === 'profile' || vector.kind === 'withdrawal')
        throw new Error('for offline verification');
      server.show(vector, keys);
      return vector.kind === 'page' ? runPage(post, url, vector) : runVerify(post, url, vector);
    },
    close: server.close,
  };
}

const SOME_PRODUCT = '7c9e6679-7425-40de-944b-e07fc1f90ae7';
const SOME_PAGE = 'https://shop.example/products/kettle';

function bodyOf(vector: Vector): string {
  if (vector.kind === 'page') return JSON.stringify({ url: vector.input.url });
  if (vector.kind === 'proof') {
    return JSON.stringify({ productUrl: SOME_PAGE, document: { proof: { jwt: vector.input.jwt } } });
  }
  return JSON.stringify({ productUrl: vector.context.pageUrl, ...vector.input });
}

type Post = (url: string, body: string) => Promise<{ status: number; json: Record<string, unknown> }>;

interface VerifyAnswer {
  readonly status: string;
  readonly checks: Readonly<Record<string, boolean | null>>;
  readonly checkDetails: Parameters<typeof answersOf>[0];
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
}

async function runVerify(post: Post, url: string, vector: DocumentVector | ProofVector): Promise<Outcome> {
  const productId = vector.kind === 'document' ? vector.context.productId : SOME_PRODUCT;
  const { status, json } = await post(`${url}/products/${productId}/verify`, bodyOf(vector));
  if (status !== 200) return { status: `refused: ${String(json.code ?? JSON.stringify(json))}` };
  const answer = json as unknown as VerifyAnswer;
  for (const [name, { result }] of Object.entries(answer.checkDetails)) {
    if (answer.checks[name] !== result) throw new Error(`checks and checkDetails disagree on ${name}`);
  }
  const checks = answersOf(answer.checkDetails);
  if (vector.kind === 'proof') return proofAnswers(checks);
  return {
    status: answer.status,
    checks,
    warnings: codesOf(answer.warnings),
    errors: codesOf(answer.errors),
  };
}

async function runPage(post: Post, url: string, vector: PageVector): Promise<Outcome> {
  const { status, json } = await post(`${url}/page-checks`, bodyOf(vector));
  if (status !== 200) return { status: `refused: ${String(json.code)}` };
  return pageOutcome(vector, json as unknown as Parameters<typeof pageOutcome>[1]);
}
