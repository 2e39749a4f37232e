import {
  CannotVerifyError,
  conclude,
  createTrust,
  productCertificatePath,
  type Trust,
} from '@touchstone/certificate';
import { type AgreementOutcome, compareStatements, signedValuesOf } from '@touchstone/certificate/agreement';
import { comparePageUrls } from '@touchstone/certificate/binding';
import { printable } from '@touchstone/certificate/text';
import type { SignedClaims, VerificationResult } from '@touchstone/certificate/verify';
import {
  checkNodes,
  NO_FACTS,
  type Observation,
  pageVerdict,
  type ReasonedVerdict,
  withoutRegistry,
} from '@touchstone/page';
import { certificatesIn } from '@touchstone/page/json-ld';
import { judgedAddress } from './address.ts';
import type { BadgeResult, Choice, Judge, PageNow } from './badge-result.ts';
import { framing } from './framing.ts';
import { SHOWN } from './shown-conclusions.ts';
import { statementsOf } from './statements.ts';
import { createWithdrawals } from './withdrawals.ts';

type Node = Readonly<Record<string, unknown>>;

/** The JSON-LD of a page. */
interface Blocks {
  /** Each as parsed. */
  readonly values: readonly unknown[];
  readonly certificates: readonly Node[];
}

/**
 * The verifier of the badge, loaded when it is needed: the page check of the service, without its registry, applied to the document in the
 * browser.
 *
 * @param issuer - base address of the service, the only trusted issuer
 * @param onKnown - called when a status list changes results: the page is to be judged again
 */
export function createJudge(issuer: string, onKnown: () => void): Judge {
  // shared by all badges, since it caches the keys
  const trust = createTrust({ trustedIssuers: [issuer] });
  const tellWithdrawal = createWithdrawals(trust.issuers, onKnown);
  const read = createReader(trust);
  return async (page, choice) => {
    try {
      return await judge(page, { choice, trust, tellWithdrawal, blocks: await read(page.blocks) });
    } catch (error) {
      // only https has cryptography
      if (globalThis.crypto?.subtle === undefined) return { state: 'unknown', detail: 'insecure' };
      return { state: 'unknown', detail: error instanceof CannotVerifyError ? 'offline' : 'noSite' };
    }
  };
}

/** The JSON-LD of the page, parsed once for all badges. */
function createReader(trust: Trust): (texts: readonly string[]) => Promise<Blocks> {
  let last: { readonly texts: readonly string[]; readonly blocks: Promise<Blocks> } | undefined;
  return (texts) => {
    if (last?.texts !== texts) last = { texts, blocks: readBlocks(texts, trust.issuers) };
    return last.blocks;
  };
}

async function readBlocks(texts: readonly string[], issuers: readonly string[]): Promise<Blocks> {
  const values = await Promise.all(texts.map(parse));
  const certificates = certificatesIn(
    values,
    issuers.map((base) => `${base}/ns#`),
  );
  return { values, certificates };
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
  readonly tellWithdrawal: ReturnType<typeof createWithdrawals>;
  readonly blocks: Blocks;
}

async function judge(page: PageNow, question: Question): Promise<BadgeResult> {
  const { choice, trust, tellWithdrawal, blocks } = question;
  const { certificates } = blocks;
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
        certificates: chosen(certificates, choice, address),
        // only the address counts
        canonicalUrl: null,
        findings: [],
      },
    },
  };
  const productId = UUID.test(choice.product) ? choice.product.toLowerCase() : undefined;
  const isHere = ({ status, signed }: VerificationResult) =>
    status === 'verified' && signed !== undefined && comparePageUrls(signed.url, page.address).equal;
  const checked = await checkNodes(
    observation,
    withoutRegistry(trust, now, productId, async (result, document) =>
      isHere(result) ? tellWithdrawal(result, document, now) : result,
    ),
  );
  const reasoned = pageVerdict(observation, checked);
  const elsewhere = reasoned.verdict === 'verified' ? placed(reasoned, page, trust) : undefined;
  const result = elsewhere ?? concluded(reasoned, page, question);
  return { ...result, certificates: certificates.length };
}

/** The result for a certificate that is not of the page whose address the browser shows, or that other page is shown inside another. */
function placed(
  { decidedBy }: ReasonedVerdict,
  { address }: PageNow,
  { issuers: [issuer = ''] }: Trust,
): BadgeResult | undefined {
  const signed = decidedBy?.kind === 'checked' ? decidedBy.result.signed : undefined;
  if (signed === undefined) return undefined;
  const facts = factsOf(signed);
  const frame = framing();
  if (frame !== null) return { ...facts, state: 'framed', detail: frame, ...linkTo(signed.url) };
  if (comparePageUrls(signed.url, address).equal) return undefined;
  const href = issuer + productCertificatePath(signed.productId);
  return { ...facts, state: 'listed', detail: 'forProduct', href };
}

/** The result by the table of conclusions. */
function concluded(
  { verdict, decidedBy, ...notes }: ReasonedVerdict,
  page: PageNow,
  { blocks }: Question,
): BadgeResult {
  const node = decidedBy?.kind === 'checked' ? decidedBy : undefined;
  const { checks, signed } = node?.result ?? {};
  const agreement =
    verdict === 'verified' && node !== undefined ? agreementOf(node, page, blocks) : undefined;
  const { code, level } = conclude(verdict, { checks, signed, agreement, ...notes });
  const facts = signed === undefined ? {} : factsOf(signed);
  const isElsewhere = code === 'another_page' || code === 'unknown_parameter' || code === 'another_product';
  return {
    ...SHOWN[code],
    level,
    ...facts,
    ...(isElsewhere && signed !== undefined ? linkTo(signed.url) : {}),
  };
}

/** Whether the page, as its reader has it, names the signed product. */
function agreementOf(
  { node, result }: Extract<NonNullable<ReasonedVerdict['decidedBy']>, { kind: 'checked' }>,
  { names }: PageNow,
  { values }: Blocks,
): AgreementOutcome | undefined {
  const signed = signedValuesOf(node, result);
  return signed === undefined ? undefined : compareStatements(signed, statementsOf(names, values)).outcome;
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

function factsOf({ domain, productName, expiresAt }: SignedClaims) {
  return { domain: printable(domain), product: printable(productName), expiresAt };
}

/** A link to the signed page. */
function linkTo(url: string): Pick<BadgeResult, 'href'> {
  return /^https?:/.test(url) ? { href: url } : {};
}
