import { parseCanonicalSource, type Trust } from '@touchstone/certificate';
import { readSigned, withoutRegistry } from './check-page.ts';
import { type CheckedPage, judgePage } from './judge-page.ts';
import { observePage } from './observe.ts';
import type { ReadFacts } from './read/parsed-page.ts';
import type { PageReading } from './types.ts';

/**
 * What a saved page says without an address to compare with: its certificate, to be verified by a profile without
 * `pageUrl`, or a verdict that holds at every address.
 */
export type SavedPage =
  | {
      readonly kind: 'certificate';
      readonly document: Readonly<Record<string, unknown>>;
      readonly reading: PageReading;
    }
  | { readonly kind: 'judged'; readonly page: CheckedPage };

export interface OpenSavedPageOptions {
  readonly trust: Trust;
  readonly now: Date;
  readonly contentType?: string | undefined;
  /** `readFacts` of `@touchstone/facts`; without it, the reading contains no facts. */
  readonly readFacts?: ReadFacts | undefined;
  /** Present and former base addresses of the services whose certificates count; default: the trusted issuers. */
  readonly baseUrls?: readonly string[] | undefined;
}

/** Nothing resolves against it, and it equals no page. */
const NOWHERE = 'about:blank';

/**
 * Reads a saved page of which nobody has said where it was seen. No address in the file (a comment of the browser, a
 * header of MHTML, a base element, a canonical link) is taken for that: whoever made the file chose it. Of several
 * certificates, the first that a trusted issuer has signed is returned, else the first that names one, also if the keys
 * cannot be fetched: whoever then verifies it is told.
 *
 * @example
 * ```ts
 * import { verifyByProfile } from '@touchstone/certificate';
 * import { createTestIssuer, TEST_ISSUER, TEST_NOW } from '@touchstone/certificate/testing';
 * import { createTrust } from '@touchstone/certificate';
 * import { openSavedPage } from '@touchstone/page';
 *
 * const issuer = await createTestIssuer();
 * const trust = createTrust({ trustedIssuers: [TEST_ISSUER], jwks: issuer.jwks });
 * const node = JSON.stringify(await issuer.certificate());
 * const html = `<script type="application/ld+json">${node}</script>`;
 * const saved = await openSavedPage(html, { trust, now: TEST_NOW });
 * if (saved.kind !== 'certificate') throw new Error();
 * const { status, signed } = await verifyByProfile(saved.document, { profile: 'standard', trust, now: TEST_NOW });
 * status; // 'undetermined'
 * signed?.url; // 'https://shop.example/products/cup'
 * ```
 */
export async function openSavedPage(
  html: string | Uint8Array,
  { trust, now, contentType, readFacts, baseUrls = trust.issuers }: OpenSavedPageOptions,
): Promise<SavedPage> {
  const options = {
    ...withoutRegistry(trust, now),
    namespaceUrl: baseUrls.map((baseUrl) => `${baseUrl}/ns#`),
    baseUrls,
  };
  const observation = await observePage(NOWHERE, {
    ...options,
    readFacts,
    fetch: async (finalUrl) => ({ kind: 'page', finalUrl, status: 200, contentType, body: html }) as const,
  });
  const { outcome } = observation;
  const nodes = outcome.kind === 'page' ? outcome.reading.certificates : [];
  const ours = nodes.filter((node) => parseCanonicalSource(node, baseUrls).kind === 'ok');
  const document = (await firstSigned(ours, trust, now)) ?? ours[0];
  if (outcome.kind === 'page' && document !== undefined)
    return { kind: 'certificate', document, reading: outcome.reading };
  return { kind: 'judged', page: await judgePage(observation, options) };
}

/** Proofs that are checked to find a signed one: about 30 µs each. */
const MAX_CHECKED_PROOFS = 64;

async function firstSigned(
  nodes: PageReading['certificates'],
  trust: Trust,
  now: Date,
): Promise<PageReading['certificates'][number] | undefined> {
  for (const node of nodes.slice(0, MAX_CHECKED_PROOFS)) {
    const { jwt } = (node.proof ?? {}) as { jwt?: unknown };
    if (typeof jwt !== 'string') continue;
    if ((await readSigned(jwt, trust, now)) !== undefined) return node;
  }
  return undefined;
}
