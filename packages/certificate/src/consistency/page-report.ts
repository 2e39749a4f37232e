import { hostnameOf, hostOf, parseWebUrl, sameHost } from '../binding/hosts.ts';
import { MAX_PAGE_URL } from '../binding/normalize-page-url.ts';
import { sameProductId } from '../binding/product-ids.ts';
import { isRequestedPage } from '../binding/same-page.ts';
import { isAboutAnotherPage, type PageVerdict } from '../page-verdicts.ts';
import type { PageReport } from '../schema/page-check.ts';
import type { SignedClaims, VerifyStatus } from '../verify/types.ts';
import { LOAD_BEARING_CHECKS } from '../verify/verdict.ts';
import {
  conclusionContradictions,
  shown,
  signedContradictions,
  statusContradictions,
  withdrawalContradictions,
} from './verification.ts';

/** A report as received; the SDK's own have no id. */
export type ReceivedReport = Pick<
  PageReport,
  'url' | 'final_url' | 'verdict' | 'conclusion' | 'mc4p' | 'agreement' | 'findings' | 'warnings' | 'errors'
> & {
  readonly id?: string;
};

/** What a page check was asked for: a page, or an earlier report. */
export interface PageCheckQuestion {
  readonly url?: string | undefined;
  readonly id?: string | undefined;
}

/**
 * Returns what in the report of a page check contradicts the question or the report itself, as sentences; empty if
 * nothing does. A caller must not rely on a report that contradicts itself: its verdict may be about another page, or
 * follow from nothing. A consistent report is not therefore true.
 *
 * @param asked - the request to which it is the response
 * @example
 * ```ts
 * import { conclude, reportContradictions } from '@touchstone/certificate';
 *
 * const url = 'https://shop.example/products/cup';
 * const notes = { findings: [], warnings: [], errors: [] };
 * const conclusion = conclude('no_certificate', notes);
 * const report = { url, final_url: url, verdict: 'no_certificate', conclusion, mc4p: { present: false }, ...notes } as const;
 * reportContradictions(report, { url }); // []
 * reportContradictions({ ...report, verdict: 'verified' }, { url })[0]; // 'The verdict is verified, but mc4p.present is false.'
 * ```
 */
export function reportContradictions(report: ReceivedReport, asked: PageCheckQuestion): string[] {
  return [
    ...questionContradictions(report, asked),
    ...landingContradictions(report),
    ...verdictContradictions(report),
    ...listContradictions(report),
    ...conclusionContradictions(report.conclusion, report.verdict, {
      ...report,
      checks: report.mc4p.checks,
      signed: report.mc4p.signed as SignedClaims | undefined,
      agreement: report.agreement?.outcome,
    }),
  ];
}

/** A list is of several products of the shop whose page it is, and is told as a finding. */
function listContradictions({ verdict, mc4p, findings, final_url: pageUrl }: ReceivedReport): string[] {
  const { list, checks } = mc4p;
  const isTold = findings.some((finding) => finding.startsWith('certified_product_list:'));
  if (list === undefined)
    return isTold ? ['The finding is certified_product_list, but there is no list.'] : [];
  if (
    !isTold ||
    verdict !== 'checks_failed' ||
    checks?.boundToDomain !== true ||
    checks.domainVerified === false
  )
    return ['There is a list of products, but the page is not told to be one of its shop.'];
  const host = hostOf(pageUrl);
  const elsewhere = list.filter(({ url }) => !sameHost(hostOf(url), host));
  const [first, ...others] = list;
  const isSeveral = others.some(({ product_id: id }) => !sameProductId(id, first?.product_id ?? ''));
  return [
    ...(isSeveral ? [] : ['The page is told to be a list, but not of several products.']),
    ...elsewhere.map(
      ({ url }) => `The list is of ${shown(String(host))}, but has a product at ${shown(url)}.`,
    ),
  ];
}

function questionContradictions({ id, url, verdict }: ReceivedReport, asked: PageCheckQuestion): string[] {
  const found: string[] = [];
  if (asked.id !== undefined && asked.id.toLowerCase() !== id?.toLowerCase()) {
    found.push(`The question is about the report ${shown(asked.id)}, the answer is ${shown(String(id))}.`);
  }
  if (asked.url !== undefined && !isEchoOf(asked.url, url, verdict)) {
    found.push(`The question is about ${shown(asked.url)}, the report about ${shown(url)}.`);
  }
  return found;
}

/** A report repeats the address as it is fetched: as browsers write it, without credentials and fragment. */
function isEchoOf(asked: string, url: string, verdict: PageVerdict): boolean {
  const [from, to] = [asFetched(asked), asFetched(url)];
  // the report on an address that is too long, and therefore not fetched, has its beginning
  const isCut = asked.length > MAX_PAGE_URL || from.length > MAX_PAGE_URL;
  return from === to || (isCut && verdict === 'page_fetch_failed' && from.startsWith(to));
}

function asFetched(address: string): string {
  const url = parseWebUrl(address);
  if (url === null) return address;
  url.username = '';
  url.password = '';
  url.hash = '';
  url.hostname = hostnameOf(url);
  return url.href;
}

function landingContradictions(report: ReceivedReport): string[] {
  const { url, final_url: landed, verdict } = report;
  // these verdicts already say that it is not about a product page
  if (verdict === 'page_fetch_failed' || verdict === 'password_protected') return [];
  if (isAboutAnotherPage(report) || isRequestedPage(url, landed) || isSameOfOneStore(report)) return [];
  return [`The page that was judged is ${shown(landed)}, but no warning says that it is another one.`];
}

/** Between domains of one store, a redirect to the same page is told as a finding: only the registry knows its domains. */
function isSameOfOneStore({ url, final_url: landed, mc4p, findings }: ReceivedReport): boolean {
  const [asked, host] = [parseWebUrl(url), parseWebUrl(landed)?.hostname];
  if (asked === null || host === undefined || mc4p.checks?.domainKnown !== true) return false;
  asked.hostname = host;
  return (
    findings.some((finding) => finding.startsWith('redirected_within_store:')) &&
    isRequestedPage(asked.href, landed)
  );
}

/** What a verdict says about the certificate that decided it (spec "Page check verdicts"). */
const CERTIFICATE_OF: Readonly<
  Record<PageVerdict, { readonly present: boolean; readonly status?: VerifyStatus }>
> = {
  verified: { present: true, status: 'verified' },
  unverified: { present: true, status: 'unverified' },
  certificate_expired: { present: true, status: 'failed' },
  checks_failed: { present: true, status: 'failed' },
  no_certificate: { present: false },
  invalid_certificate: { present: true },
  canonical_mismatch: { present: true },
  product_deleted: { present: true },
  password_protected: { present: false },
  page_fetch_failed: { present: false },
};

function verdictContradictions(report: ReceivedReport): string[] {
  const { verdict, mc4p, final_url: pageUrl, errors } = report;
  const { present, status, checks, signed, product_id: productId } = mc4p;
  const wanted = CERTIFICATE_OF[verdict];
  const butIs = (what: string, is: unknown) => [
    `The verdict is ${verdict}, but ${what} is ${shown(String(is))}.`,
  ];
  if (present !== wanted.present) return butIs('mc4p.present', present);
  if (status !== wanted.status) return butIs('mc4p.status', status);
  if (wanted.status === undefined) {
    return checks === undefined ? [] : [`The verdict is ${verdict}, but there are results of checks.`];
  }
  if (checks === undefined) return [`The verdict is ${verdict}, but there are no results of checks.`];
  const found = statusContradictions(wanted.status, checks);
  if (verdict === 'certificate_expired') {
    const unexpected = LOAD_BEARING_CHECKS.filter((name) => checks[name] !== (name !== 'timestampValid'));
    found.push(...unexpected.flatMap((name) => butIs(name, checks[name])));
  }
  if (verdict === 'verified' && errors.length > 0)
    found.push('The verdict is verified, but errors are listed.');
  return [
    ...found,
    ...signedContradictions(signed, { checks, productId, pageUrl }),
    ...withdrawalContradictions(mc4p.withdrawal, checks, report),
  ];
}
