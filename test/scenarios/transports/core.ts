import { CannotVerifyError, createTrust, verifyProductCertificate } from '@touchstone/certificate';
import {
  createKeySet,
  type KeySet,
  verify,
  verifyProfiles,
  verifyProof,
} from '@touchstone/certificate/verify';
import { createStatusLists, withWithdrawal } from '@touchstone/certificate/withdrawal';
import { readFacts } from '@touchstone/facts';
import { judgePage, type Observation } from '@touchstone/page';
import { readPage } from '@touchstone/page/read';
import type {
  DocumentVector,
  PageVector,
  ProfileVector,
  ProofVector,
  Vector,
  VectorKeys,
  WithdrawalVector,
} from '../../kit/vectors.ts';
import {
  answersOf,
  codesOf,
  expectedByAge,
  expectedWithoutRegistry,
  expectedWithRegistry,
  type Outcome,
  pageOutcome,
  type Transport,
} from './transport.ts';

/** The pure packages, with the registry's facts as data. */
export function coreTransport(): Transport {
  return transport('core', true);
}

/** The same without a registry: the offline verifier's result. */
export function offlineTransport(): Transport {
  return transport('core without registry', false);
}

function transport(name: string, withRegistry: boolean): Transport {
  return {
    name,
    cannot: ({ kind, expect }) =>
      !withRegistry && kind === 'page' && expect.verdict === 'product_deleted'
        ? 'only the registry knows what was deleted'
        : null,
    expected: expectedByAge(withRegistry ? expectedWithRegistry : expectedWithoutRegistry),
    run: (vector, keys) =>
      runWith(vector, keySource(vector, keys), withRegistry).catch((error: unknown) => {
        if (error instanceof CannotVerifyError) return { status: `refused: ${error.code}` };
        throw error;
      }),
    close: async () => {},
  };
}

async function runWith(vector: Vector, keysFor: KeysFor, withRegistry: boolean): Promise<Outcome> {
  if (vector.kind === 'proof') return runProof(vector, keysFor);
  if (vector.kind === 'page') return runPage(vector, keysFor, withRegistry);
  if (vector.kind === 'profile') return runProfile(vector, keysFor);
  if (vector.kind === 'withdrawal') return runWithdrawal(vector, keysFor);
  return runDocument(vector, keysFor, withRegistry);
}

type KeysFor = (document: unknown) => Promise<{ issuers: readonly string[]; keySet: KeySet }>;

/** The keys that may verify a document: those of the only set, whatever it contains, or those of the issuer that signed. */
function keySource({ context: { issuers, now } }: Vector, keys: VectorKeys): KeysFor {
  if (keys.length > 1 || keys[0]?.readAt !== undefined) {
    const given = keys.map(({ readAt, ...one }) => ({
      ...one,
      ...(readAt === undefined ? {} : { fetchedAt: new Date(readAt) }),
    }));
    const trust = createTrust({ trustedIssuers: issuers, keys: given });
    return (document) => trust.keysFor(document, new Date(now));
  }
  const keySet = createKeySet(keys[0]?.jwks);
  return async () => ({ issuers, keySet });
}

async function runProof({ input: { jwt }, context }: ProofVector, keysFor: KeysFor): Promise<Outcome> {
  const { proofKind: kind } = context;
  const now = new Date(context.now);
  const { keySet, issuers } = await keysFor({ proof: { jwt } });
  const { signed: _, ...checks } = await verifyProof(jwt, keySet, { now, kind, issuers });
  return { checks: answersOf(checks) };
}

async function runDocument(
  vector: DocumentVector,
  keysFor: KeysFor,
  withRegistry: boolean,
): Promise<Outcome> {
  const { pageUrl, productId, now, registry } = vector.context;
  const result = await verify({
    ...vector.input,
    pageUrl,
    productId,
    ...(await keysFor(vector.input.document)),
    now: new Date(now),
    ...(withRegistry ? { registry } : {}),
  });
  return {
    status: result.status,
    checks: answersOf(result.checkDetails),
    warnings: codesOf(result.warnings),
    errors: codesOf(result.errors),
  };
}

async function runPage(vector: PageVector, keysFor: KeysFor, withRegistry: boolean): Promise<Outcome> {
  const { baseUrls, products } = vector.context;
  const now = new Date(vector.context.now);
  const observation = observationOf(vector);
  const { report } = await judgePage(observation, {
    baseUrls,
    knownProduct: withRegistry ? async (productId) => products[productId] : undefined,
    readSigned: async (jwt) => {
      const { keySet, issuers } = await keysFor({ proof: { jwt } });
      return (await verifyProof(jwt, keySet, { now, issuers })).signed;
    },
    verifyProduct: async (productId, { document, pageUrl }) => {
      const registry = products[productId];
      if (withRegistry && registry === undefined) return null;
      const known = withRegistry && registry !== undefined ? { registry } : {};
      return verify({ document, pageUrl, productId, now, ...(await keysFor(document)), ...known });
    },
  });
  return pageOutcome(vector, report);
}

/** The same with and without a registry, which profiles do not use. */
async function runProfile({ input, context }: ProfileVector, keysFor: KeysFor): Promise<Outcome> {
  const { certificateKind: kind, now, manifest, domain, pageUrl, productId } = context;
  const { profiles, checks, warnings, errors } = await verifyProfiles({
    document: input.document,
    kind,
    ...(await keysFor(input.document)),
    now: new Date(now),
    context: {
      domain,
      ...(pageUrl === undefined ? {} : { pageUrl }),
      ...(productId === undefined ? {} : { productId }),
    },
    ...(input.image === undefined
      ? {}
      : { image: Uint8Array.from(atob(input.image), (byte) => byte.charCodeAt(0)) }),
    ...(manifest === undefined
      ? {}
      : {
          readManifest: () => ({
            ...manifest,
            failures: [],
            trust: { status: manifest.signer, list: 'test' },
          }),
        }),
  });
  return { profiles, checks: answersOf(checks), warnings: codesOf(warnings), errors: codesOf(errors) };
}

/** The same with and without a registry, which would answer by itself. */
async function runWithdrawal({ input, context }: WithdrawalVector, keysFor: KeysFor): Promise<Outcome> {
  const { pageUrl, productId, issuers, served, policy } = context;
  const now = new Date(context.now);
  const requested: string[] = [];
  const fetch = async (url: string | URL | Request) => {
    const answer = served[String(url)];
    if (!String(url).endsWith('.json')) requested.push(String(url));
    if (answer === undefined) return new Response('', { status: 404 });
    return typeof answer === 'string' ? new Response(answer) : Response.json(answer);
  };
  const trust = { issuers, keysFor };
  const verified = await verifyProductCertificate(input.document, { pageUrl, productId, now, trust });
  const lists = createStatusLists({ trustedIssuers: issuers, fetch });
  const issuer = policy === 'none' ? undefined : verified.signed?.issuer;
  const withdrawal = await lists.lookUp(input.document, issuer, now);
  const result = withWithdrawal(verified, withdrawal, policy);
  const { status = null, reason = 'not_looked_at' } = result.withdrawal ?? {};
  return {
    status: result.status,
    withdrawal: { status, reason },
    requested,
    errors: codesOf(result.errors),
    warnings: codesOf(result.warnings),
    conclusion: result.conclusion.code,
  };
}

/** The page as fetched. */
export function observationOf({ input, context }: PageVector): Observation {
  const { url, finalUrl, html = '', contentType, failed } = input;
  const options = {
    url: finalUrl,
    namespaceUrl: `${context.baseUrls[0]}/ns#`,
    ...(contentType === undefined ? {} : { contentType }),
  };
  const outcome =
    failed === undefined
      ? ({
          kind: 'page',
          status: 200,
          reading: readPage(new TextEncoder().encode(html), options, readFacts),
        } as const)
      : ({ kind: 'failed', ...failed } as const);
  return { url, finalUrl, fetchedAt: context.now, outcome };
}
