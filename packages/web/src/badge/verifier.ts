import {
  CannotVerifyError,
  createTrust,
  isContextForeign,
  productCertificatePath,
  type Trust,
} from '@touchstone/certificate';
import { comparePageUrls } from '@touchstone/certificate/binding';
import type { SignedClaims } from '@touchstone/certificate/verify';
import {
  checkNodes,
  NO_FACTS,
  type Observation,
  type PageJudgement,
  pageVerdict,
  printable,
  withoutRegistry,
} from '@touchstone/page';
import { certificatesIn } from '@touchstone/page/json-ld';
import { judgedAddress } from './address.ts';
import type { BadgeResult, Choice, Judge, PageNow } from './badge-result.ts';
import { framing } from './framing.ts';

type Node = Readonly<Record<string, unknown>>;

/**
 * The verifier of the badge, loaded when it is needed: the page check of the service, without its registry, applied to the document in the
 * browser.
 *
 * @param issuer - base address of the service, the only trusted issuer
 */
export function createJudge(issuer: string): Judge {
  // shared by all badges, since it caches the keys
  const trust = createTrust({ trustedIssuers: [issuer] });
  const read = createReader(trust);
  return async (page, choice) => {
    try {
      return await judge(page, { choice, trust, nodes: await read(page.blocks) });
    } catch (error) {
      // only https has cryptography
      if (globalThis.crypto?.subtle === undefined) return { state: 'unknown', detail: 'insecure' };
      return { state: 'unknown', detail: error instanceof CannotVerifyError ? 'offline' : 'noSite' };
    }
  };
}

/** The certificates of the page, parsed once for all badges. */
function createReader(trust: Trust): (blocks: readonly string[]) => Promise<readonly Node[]> {
  let last: { readonly blocks: readonly string[]; readonly nodes: Promise<readonly Node[]> } | undefined;
  return (blocks) => {
    if (last?.blocks !== blocks) last = { blocks, nodes: readBlocks(blocks, trust.issuers) };
    return last.nodes;
  };
}

async function readBlocks(blocks: readonly string[], issuers: readonly string[]): Promise<readonly Node[]> {
  const values = await Promise.all(blocks.map(parse));
  return certificatesIn(
    values,
    issuers.map((base) => `${base}/ns#`),
  );
}

/** Malformed JSON is repaired as the service does, by a script that few pages need. */
async function parse(text: string): Promise<unknown> {
  try {
    return JSON.parse(text);
  } catch {
    return (await import('./repair.ts')).repair(text);
  }
}

interface Question {
  readonly choice: Choice;
  readonly trust: Trust;
  readonly nodes: readonly Node[];
}

async function judge(page: PageNow, { choice, trust, nodes }: Question): Promise<BadgeResult> {
  const address = judgedAddress(page.address, choice.for);
  if (!/^https?:/.test(address)) return { state: 'unknown', detail: 'noSite' };
  const now = new Date();
  const observation: Observation = {
    url: address,
    finalUrl: address,
    fetchedAt: now.toISOString(),
    outcome: {
      kind: 'page',
      status: 200,
      reading: {
        facts: NO_FACTS,
        platform_detected: 'custom',
        gate: null,
        certificates: chosen(nodes, choice, address),
        // only the address counts
        canonicalUrl: null,
        findings: [],
      },
    },
  };
  const productId = UUID.test(choice.product) ? choice.product.toLowerCase() : undefined;
  const checked = await checkNodes(observation, withoutRegistry(trust, now, productId));
  const judgement = pageVerdict(observation, checked);
  const result = judgement.verdict === 'verified' ? placed(judgement, page, trust) : resultOf(judgement);
  return { ...result, certificates: nodes.length };
}

/** Only a certificate of the page whose address the browser shows is `verified`. */
function placed(
  { decidedBy }: PageJudgement,
  { address }: PageNow,
  { issuers: [issuer = ''] }: Trust,
): BadgeResult {
  const result = decidedBy?.kind === 'checked' ? decidedBy.result : undefined;
  const signed = result?.signed;
  if (result === undefined || signed === undefined) return NOTHING;
  if (isContextForeign(result)) return { state: 'unknown', detail: 'context' };
  const facts = factsOf(signed);
  const frame = framing();
  if (frame !== null) return { ...facts, state: 'framed', detail: frame, ...linkTo(signed.url) };
  if (comparePageUrls(signed.url, address).equal) return { ...facts, state: 'verified', detail: 'forDomain' };
  const href = issuer + productCertificatePath(signed.productId);
  return { ...facts, state: 'listed', detail: 'forProduct', href };
}

const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** On a list, the certificates of one product; if there are none, as on a copied list, all, so that the badge can name their site. */
function chosen(nodes: readonly Node[], { product, for: link }: Choice, address: string): readonly Node[] {
  if (product !== '') return nodes.filter((node) => isOf(node, product));
  if (link === '') return nodes;
  const ofLink = nodes.filter(({ url }) => typeof url === 'string' && comparePageUrls(url, address).equal);
  return ofLink.length > 0 ? ofLink : nodes;
}

function isOf({ productID, additionalProperty }: Node, product: string): boolean {
  if (typeof productID === 'string' && productID.toLowerCase() === product.toLowerCase()) return true;
  return ([additionalProperty].flat() as readonly (Node | null)[]).some(
    (entry) => entry?.name === 'externalProductId' && entry.value === product,
  );
}

const NOTHING: BadgeResult = { state: 'none', detail: 'nothing' };

function factsOf({ domain, productName, expiresAt }: SignedClaims) {
  return { domain: printable(domain), product: printable(productName), expiresAt };
}

/** A link to the signed page. */
function linkTo(url: string): Pick<BadgeResult, 'href'> {
  return /^https?:/.test(url) ? { href: url } : {};
}

/** For any verdict but `verified`. */
function resultOf({ verdict, decidedBy }: PageJudgement): BadgeResult {
  const result = decidedBy?.kind === 'checked' ? decidedBy.result : undefined;
  const signed = result?.signed;
  const facts = signed && factsOf(signed);
  switch (verdict) {
    case 'certificate_expired':
      return { state: 'expired', detail: 'expiredOn', ...facts };
    case 'checks_failed':
      break;
    case 'invalid_certificate':
      return { state: 'invalid', detail: 'incomplete' };
    // no failure: the merchant may have hidden the product
    case 'unverified':
      return { state: 'unsigned', detail: 'unsigned' };
    case 'canonical_mismatch':
      return { state: 'unknown', detail: 'elsewhere' };
    default:
      return NOTHING;
  }
  // without a valid signature of the service, its domain is unknown
  if (signed === undefined) return { state: 'invalid', detail: 'altered' };
  if (result?.checks.boundToDomain === false) return { state: 'site', detail: 'forDomain', ...facts };
  if (result?.checks.certificateIntegrity === false) return { state: 'invalid', detail: 'altered', ...facts };
  if (result?.checkDetails.timestampValid.reason === 'proof_not_yet_valid')
    return { state: 'unknown', detail: 'clock' };
  return { state: 'page', detail: 'otherPage', ...facts, ...linkTo(signed.url) };
}
