import type { PageVerdict } from '@touchstone/certificate';
import { printable } from '@touchstone/certificate/text';
import {
  type CheckName,
  comparePageUrls,
  hostOf,
  LOAD_BEARING_CHECKS,
  sameHost,
  type VerificationResult,
} from '@touchstone/certificate/verify';
import type { CheckedNode } from './certificate-nodes.ts';
import { PAGE_CODES, type PageCode, pageNote } from './codes.ts';
import { type LandingCertificate, landingNotes } from './landing.ts';
import { type ProductList, productList } from './product-list.ts';
import { distinctNodes } from './select-nodes.ts';
import type { Gate, Observation, PageReading } from './types.ts';

/** The verdict on a page with its reasons. Entries of the three lists are `code: sentence`; the reason for the verdict comes first. */
export interface ReasonedVerdict {
  readonly verdict: PageVerdict;
  /** The certificate node that determined the verdict; absent if none did. */
  readonly decidedBy?: CheckedNode;
  /** Present if the page lists certified products of its own shop and is not certified itself. */
  readonly list?: ProductList;
  readonly findings: readonly string[];
  readonly warnings: readonly string[];
  readonly errors: readonly string[];
}

/**
 * Determines the verdict on a page (spec "Page check verdicts"). Pure.
 *
 * @param observation - the page as fetched
 * @param nodes - its certificate nodes with the results of their checks, in the order of the page
 * @example
 * ```ts
 * import { pageVerdict } from '@touchstone/page';
 *
 * const observation = {
 *   url: 'https://shop.example/products/cup',
 *   finalUrl: 'https://shop.example/products/cup',
 *   fetchedAt: '2026-03-01T12:00:00Z',
 *   outcome: { kind: 'failed', code: 'timed_out', detail: '' },
 * } as const;
 * pageVerdict(observation, []).verdict; // 'page_fetch_failed'
 * ```
 */
export function pageVerdict(observation: Observation, nodes: readonly CheckedNode[]): ReasonedVerdict {
  const ofLanding = landingVerdict(observation, nodes);
  const { findings, warnings } = landingNotes(observation, landingCertificate(ofLanding.decidedBy));
  const told = [...warnings, ...ofLanding.warnings];
  const isSuspended = (note: string) => note.startsWith('certificate_suspended:');
  return {
    ...ofLanding,
    findings: [...findings, ...ofLanding.findings],
    // that the shop does not publish it comes before where the page was found
    warnings: told.toSorted((a, b) => Number(isSuspended(b)) - Number(isSuspended(a))),
  };
}

function landingCertificate(decidedBy: CheckedNode | undefined): LandingCertificate {
  if (decidedBy?.kind !== 'checked') return {};
  const { registry, result } = decidedBy;
  const storeDomains = registry?.domains.map(({ hostname }) => hostname);
  return { storeDomains, boundUrl: result.checks.boundToUrl === true ? result.signed?.url : undefined };
}

/** The verdict on the page to which redirects led. */
function landingVerdict(observation: Observation, nodes: readonly CheckedNode[]): ReasonedVerdict {
  const { outcome } = observation;
  if (outcome.kind === 'failed') return notFetched(outcome.code, outcome.detail, outcome.gate);
  const { reading } = outcome;
  const verdicts = nodes.map((node) => nodeVerdict(node, observation.finalUrl, reading));
  const best = verdicts.toSorted(
    (a, b) =>
      RANK.indexOf(a.verdict) - RANK.indexOf(b.verdict) ||
      Number(isOfAnotherPage(a)) - Number(isOfAnotherPage(b)) ||
      rankAmongEqual(a) - rankAmongEqual(b),
  )[0];
  if (best === undefined) return reading.gate === null ? withoutCertificate(reading) : gated(reading.gate);
  const list =
    best.verdict === 'checks_failed' ? productList(nodes, observation.finalUrl, reading) : undefined;
  const others = [...severalNodes(verdicts, best, reading), ...best.findings, ...reading.findings];
  if (list === undefined) return { ...best, findings: others };
  return { ...best, list, findings: [pageNote('certified_product_list', sizeOfList(list)), ...others] };
}

function sizeOfList({ listed, total, expired }: ProductList): string {
  const rest = total - listed.length;
  return [
    `${total} products`,
    ...(expired === 0 ? [] : [`the certificates of ${expired} have expired`]),
    ...(rest === 0 ? [] : [`${rest} are not listed here`]),
  ].join('; ');
}

/**
 * The precedence of verdicts if a page has several nodes: `verified` first, then nodes that name this service before
 * those that do not, and failures before milder verdicts, so that a page cannot hide a failure by adding another node.
 */
const RANK: readonly PageVerdict[] = [
  'verified',
  'checks_failed',
  'certificate_expired',
  'unverified',
  'product_deleted',
  'canonical_mismatch',
  'invalid_certificate',
];

/**
 * Orders nodes with the same verdict, lowest first: a product that currently publishes before one that does not, then a
 * verified domain, a known one, an unknown one.
 */
function rankAmongEqual({ decidedBy }: ReasonedVerdict): number {
  if (decidedBy?.kind !== 'checked') return 0;
  const { checks, withdrawal } = decidedBy.result;
  const isIdle = decidedBy.registry?.publishing === false || withdrawal?.status === 'suspended';
  return (
    (isIdle ? 4 : 0) + (checks.domainVerified === false ? 1 : 0) + (checks.domainKnown === false ? 1 : 0)
  );
}

/**
 * Whether a certificate is not of this page. One for its address without an added parameter is, so that it is told before those of
 * other products on the page.
 */
function isOfAnotherPage({ decidedBy }: ReasonedVerdict): boolean {
  return decidedBy?.kind === 'checked' && !isOfThisPage(decidedBy.result);
}

/** Whether a sound certificate is for this page, with or without a parameter that was added to its address. */
function isOfThisPage({ checks, checkDetails }: VerificationResult): boolean {
  return (
    SOUND.every((name) => checks[name] === true) &&
    (checks.boundToUrl === true || checkDetails.boundToUrl.reason === 'url_extra_parameter')
  );
}

function nodeVerdict(checked: CheckedNode, pageUrl: string, reading: PageReading): ReasonedVerdict {
  const none = { decidedBy: checked, findings: [], warnings: [], errors: [] };
  switch (checked.kind) {
    case 'invalid': {
      const error = pageNote(checked.code, printable(checked.detail));
      return { ...none, verdict: 'invalid_certificate', errors: [error] };
    }
    case 'mismatch': {
      const error = pageNote(checked.code, printable(checked.host));
      return { ...none, verdict: 'canonical_mismatch', errors: [error] };
    }
    case 'unknown_product': {
      const error = pageNote('product_unknown', checked.productId);
      return { ...none, verdict: 'product_deleted', errors: [error] };
    }
    case 'checked':
      return { ...none, ...resultVerdict(checked.result, checked.node, pageUrl, reading) };
  }
}

function resultVerdict(
  result: VerificationResult,
  node: CheckedNode['node'],
  pageUrl: string,
  reading: PageReading,
): Omit<ReasonedVerdict, 'decidedBy'> {
  const { warnings, errors, status } = result;
  if (status === 'verified' || status === 'unverified') {
    return { verdict: status, findings: [], warnings, errors };
  }
  if (isMerelyExpired(result)) {
    const lead = pageNote('certificate_past_lifetime');
    return {
      verdict: 'certificate_expired',
      findings: [],
      warnings: [lead, ...errors, ...warnings],
      errors: [],
    };
  }
  return {
    verdict: 'checks_failed',
    findings: nextSteps(result, node, pageUrl, reading),
    warnings,
    errors: siteFirst(result),
  };
}

/** Where the certificate can be checked if only the address is not the signed one. */
function nextSteps(
  result: VerificationResult,
  node: CheckedNode['node'],
  pageUrl: string,
  reading: PageReading,
): string[] {
  const { checks, signed } = result;
  const findings: string[] = [];
  if (canonicalLinkMatches(result, node, pageUrl, reading))
    findings.push(pageNote('canonical_link_matches', printable(reading.canonicalUrl ?? '')));
  if (signed !== undefined && checks.boundToUrl === false && isOfThisPage(result))
    findings.push(pageNote('certified_without_parameter', printable(signed.url)));
  return findings;
}

/**
 * Whether expiry is the only failed check. With any other failure the verdict stays `checks_failed`; otherwise a copied
 * page would stop being a failure when its certificate expires.
 */
function isMerelyExpired({ checks, checkDetails }: VerificationResult): boolean {
  const others = LOAD_BEARING_CHECKS.filter((name) => name !== 'timestampValid');
  return (
    checks.timestampValid === false &&
    checkDetails.timestampValid.reason === 'proof_expired' &&
    others.every((name) => checks[name] === true)
  );
}

/** Puts the domain error first if the signature is valid: that a genuine certificate is on the wrong site matters most. */
function siteFirst({ checks, checkDetails, errors }: VerificationResult): readonly string[] {
  if (checks.signatureValid !== true || checks.boundToDomain !== false) return errors;
  const lead = `${checkDetails.boundToDomain.reason}:`;
  return errors.toSorted((a, b) => Number(b.startsWith(lead)) - Number(a.startsWith(lead)));
}

const SOUND: readonly CheckName[] = [
  'signatureValid',
  'certificateIntegrity',
  'boundToDomain',
  'productIdMatches',
];

/** Whether the page was only opened at another of its addresses: its canonical link is the signed address, on the same host. */
function canonicalLinkMatches(
  { checks, checkDetails }: VerificationResult,
  node: CheckedNode['node'],
  pageUrl: string,
  { canonicalUrl }: PageReading,
): boolean {
  if (canonicalUrl === null || checks.boundToUrl !== false) return false;
  if (!SOUND.every((name) => checks[name] === true) || !sameHost(hostOf(canonicalUrl), hostOf(pageUrl)))
    return false;
  // the integrity check has compared the node's `url` with the signed one; `expected` may be truncated
  const signed = typeof node.url === 'string' ? node.url : checkDetails.boundToUrl.expected;
  return signed !== undefined && comparePageUrls(signed, canonicalUrl).equal;
}

/** Findings about the nodes other than the one that determined the verdict. */
function severalNodes(
  verdicts: readonly ReasonedVerdict[],
  best: ReasonedVerdict,
  { certificates }: PageReading,
): string[] {
  const others = verdicts.filter((other) => other !== best);
  const findings = others.length === 0 ? [] : [pageNote('several_certificates', String(verdicts.length))];
  for (const other of others) {
    const { verdict, errors, warnings } = other;
    if (verdict === best.verdict) {
      if (rankAmongEqual(other) > rankAmongEqual(best))
        findings.push(pageNote('certificate_outranked', productOf(other.decidedBy)));
      continue;
    }
    findings.push(
      pageNote('certificate_set_aside', [verdict, errors[0] ?? warnings[0] ?? ''].join(' ').trim()),
    );
  }
  const isWhole = certificates.length === verdicts.length;
  const leftOut = isWhole ? 0 : distinctNodes(certificates).length - verdicts.length;
  if (leftOut > 0) findings.push(pageNote('too_many_certificates', `${leftOut} were left out`));
  return findings;
}

function productOf(decidedBy: CheckedNode | undefined): string {
  return decidedBy?.kind === 'checked' ? `product ${decidedBy.result.productId}` : '';
}

function withoutCertificate(reading: PageReading): ReasonedVerdict {
  const warnings = [pageNote('certificate_absent')];
  return { verdict: 'no_certificate', findings: reading.findings, warnings, errors: [] };
}

function gated(gate: Gate): ReasonedVerdict {
  const verdict = gate.kind === 'password' ? 'password_protected' : 'page_fetch_failed';
  return { verdict, findings: [], warnings: [], errors: [noteOf(gate.code)] };
}

function notFetched(code: string, detail: string, gate: Gate | undefined): ReasonedVerdict {
  if (gate === undefined) {
    return { verdict: 'page_fetch_failed', findings: [], warnings: [], errors: [noteOf(code, detail)] };
  }
  const verdict = gated(gate);
  return { ...verdict, errors: [...verdict.errors, noteOf(code, detail)] };
}

/** Codes in stored observations are plain strings: one of an older release may be missing from the table. */
function noteOf(code: string, detail = ''): string {
  if (Object.hasOwn(PAGE_CODES, code)) return pageNote(code as PageCode, printable(detail));
  return `${code}: ${printable(detail)}`;
}
