import { createKeySet, verify, verifyProfiles, verifyProof } from '@touchstone/certificate/verify';
import { judgePage, type Observation } from '@touchstone/page';
import { readPage } from '@touchstone/page/read';
import type { DocumentVector, PageVector, ProfileVector, ProofVector } from '../../support/vectors.ts';
import {
  answersOf,
  codesOf,
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
    expected: withRegistry ? expectedWithRegistry : expectedWithoutRegistry,
    async run(vector, jwks) {
      if (vector.kind === 'proof') return runProof(vector, jwks);
      if (vector.kind === 'page') return runPage(vector, jwks, withRegistry);
      if (vector.kind === 'profile') return runProfile(vector, jwks);
      return runDocument(vector, jwks, withRegistry);
    },
    close: async () => {},
  };
}

async function runProof({ input, context }: ProofVector, jwks: unknown): Promise<Outcome> {
  const { proofKind: kind, issuers } = context;
  const now = new Date(context.now);
  const { signed: _, ...checks } = await verifyProof(input.jwt, jwks, { now, kind, issuers });
  return { checks: answersOf(checks) };
}

async function runDocument(vector: DocumentVector, jwks: unknown, withRegistry: boolean): Promise<Outcome> {
  const { pageUrl, productId, issuers, now, registry } = vector.context;
  const result = await verify({
    ...vector.input,
    pageUrl,
    productId,
    keySet: createKeySet(jwks),
    issuers,
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

async function runPage(vector: PageVector, jwks: unknown, withRegistry: boolean): Promise<Outcome> {
  const { baseUrls, issuers, now, products } = vector.context;
  const observation = observationOf(vector);
  const keySet = createKeySet(jwks);
  const { report } = await judgePage(observation, {
    baseUrls,
    storeDomains: withRegistry
      ? async (productId) => products[productId]?.domains.map(({ hostname }) => hostname) ?? []
      : undefined,
    readSigned: async (jwt) => (await verifyProof(jwt, keySet, { now: new Date(now), issuers })).signed,
    verifyProduct: async (productId, { document, pageUrl }) => {
      const registry = products[productId];
      if (withRegistry && registry === undefined) return null;
      const known = withRegistry && registry !== undefined ? { registry } : {};
      return verify({ document, pageUrl, productId, keySet, issuers, now: new Date(now), ...known });
    },
  });
  return pageOutcome(vector, report);
}

/** The same with and without a registry, which profiles do not use. */
async function runProfile({ input, context }: ProfileVector, jwks: unknown): Promise<Outcome> {
  const { certificateKind: kind, issuers, now, manifest, domain, pageUrl, productId } = context;
  const { profiles, checks, warnings, errors } = await verifyProfiles({
    document: input.document,
    kind,
    keySet: createKeySet(jwks),
    issuers,
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
      ? ({ kind: 'page', status: 200, reading: readPage(new TextEncoder().encode(html), options) } as const)
      : ({ kind: 'failed', ...failed } as const);
  return { url, finalUrl, fetchedAt: context.now, outcome };
}
