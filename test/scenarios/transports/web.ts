import type * as judges from '../../../packages/web/src/verify/judge.ts';
import type * as pages from '../../../packages/web/src/verify/judge-page.ts';
import type * as own from '../../../packages/web/src/verify/own-lists.ts';
import type * as trusts from '../../../packages/web/src/verify/trust.ts';
import type { Vector, VectorKeys } from '../../kit/vector-format.ts';
import {
  answersOf,
  codesOf,
  expectedByAge,
  expectedWithoutRegistry,
  type Outcome,
  pageOutcome,
  type Transport,
} from './transport.ts';

/** The functions of the web's offline verifier. */
export type WebJudge = typeof judges &
  typeof pages &
  Pick<typeof trusts, 'trustIn'> &
  Pick<typeof own, 'ownStatusLists'>;

/** Its result, as it leaves the browser. */
export type WebAnswer =
  | (judges.DocumentResult & { readonly requested?: readonly string[] })
  | judges.ProofResult
  | pages.PageResult
  | { readonly refused: string };

/** Verifies a vector with the offline verifier. Runs in the page, so it uses only its arguments. */
export async function askJudge(judge: WebJudge, vector: Vector, keys: VectorKeys): Promise<WebAnswer> {
  const { context } = vector;
  try {
    const judging = {
      trust: judge.trustIn(
        keys.map(({ readAt, ...one }) =>
          readAt === undefined ? one : { ...one, fetchedAt: new Date(readAt) },
        ),
      ),
      now: new Date(context.now),
    };
    if (vector.kind === 'proof') {
      return await judge.judgeProof(
        { jwt: vector.input.jwt, certificate: vector.context.proofKind, place: {} },
        judging,
      );
    }
    if (vector.kind === 'page') {
      const { html = '', contentType, url: askedUrl, finalUrl: pageUrl } = vector.input;
      const bytes = new TextEncoder().encode(html);
      const page = { html: bytes, contentType, askedUrl, pageUrl };
      return await judge.judgeSavedPage(page, judging, vector.context.baseUrls);
    }
    if (vector.kind === 'document') {
      const { pageUrl, productId } = vector.context;
      return await judge.judgeDocument(
        { document: vector.input.document, certificate: 'product', place: { pageUrl, productId } },
        judging,
      );
    }
    if (vector.kind === 'withdrawal') {
      const { pageUrl, productId, issuers, served, policy } = vector.context;
      const requested: string[] = [];
      const fetch = async (url: string | URL | Request) => {
        const answer = served[String(url)];
        if (!String(url).endsWith('.json')) requested.push(String(url));
        if (answer === undefined) return new Response('', { status: 404 });
        return typeof answer === 'string' ? new Response(answer) : Response.json(answer);
      };
      const lists = judge.ownStatusLists(issuers, fetch);
      const place = { pageUrl, productId };
      const { document } = vector.input;
      const question = { document, certificate: 'product', place } as const;
      return { ...(await judge.judgeDocument(question, { ...judging, lists, policy })), requested };
    }
    const { certificateKind, manifest, domain, pageUrl, productId } = vector.context;
    const { document, image } = vector.input;
    return await judge.judgeDocument(
      {
        document,
        certificate: certificateKind,
        place: { domain, pageUrl, productId },
        image: image === undefined ? undefined : Uint8Array.from(atob(image), (byte) => byte.charCodeAt(0)),
      },
      {
        ...judging,
        readManifest:
          manifest &&
          (() => ({ ...manifest, failures: [], trust: { status: manifest.signer, list: 'test' } })),
      },
    );
  } catch (error) {
    return { refused: (error as { code?: string }).code ?? String(error) };
  }
}

/** The web's offline verifier, wherever it runs. */
export function webTransport(
  name: string,
  ask: (vector: Vector, keys: VectorKeys) => Promise<WebAnswer>,
  close: () => Promise<void>,
): Transport {
  return {
    name,
    cannot: ({ kind, input, expect }) => {
      if (kind !== 'page') return null;
      if (input.failed !== undefined) return 'a saved page was not fetched';
      return expect.verdict === 'product_deleted' ? 'only the registry knows what was deleted' : null;
    },
    expected(vector, [first]) {
      if (vector.context.issuers.length === 0) return { status: 'refused: no_trusted_issuer' };
      if (!hasKeys(first?.jwks)) return { status: 'refused: keys_unavailable' };
      return expectedByAge(expectedWithoutRegistry)(vector);
    },
    run: async (vector, keys) => outcomeOf(vector, await ask(vector, keys)),
    close,
  };
}

function hasKeys(jwks: unknown): boolean {
  const keys: unknown = (jwks as { keys?: unknown } | null)?.keys;
  return Array.isArray(keys) && keys.length > 0;
}

function outcomeOf(vector: Vector, answer: WebAnswer): Outcome {
  if ('refused' in answer) return { status: `refused: ${answer.refused}` };
  if (answer.kind === 'proof') {
    const { signed: _, ...checks } = answer.proof;
    return { checks: answersOf(checks) };
  }
  if (answer.kind === 'page') {
    if (vector.kind !== 'page') throw new Error('A page was judged that nobody asked about.');
    return pageOutcome(vector, answer.report);
  }
  const { verification, profiles } = answer;
  if (verification === undefined || vector.kind === 'profile') {
    const { checks, warnings, errors } = profiles;
    return {
      profiles: profiles.profiles,
      checks: answersOf(checks),
      warnings: codesOf(warnings),
      errors: codesOf(errors),
    };
  }
  const { status, checkDetails, warnings, errors, withdrawal, conclusion } = verification;
  if (vector.kind === 'withdrawal') {
    const { status: known = null, reason = 'not_looked_at' } = withdrawal ?? {};
    return {
      status,
      withdrawal: { status: known, reason },
      requested: answer.requested ?? [],
      errors: codesOf(errors),
      warnings: codesOf(warnings),
      conclusion: conclusion.code,
    };
  }
  return {
    status,
    checks: answersOf(checkDetails),
    warnings: codesOf(warnings),
    errors: codesOf(errors),
  };
}
