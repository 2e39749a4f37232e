import { isAboutAnotherPage } from '@touchstone/certificate';
import { SWEEP_CODES, type SweepResultName } from '@touchstone/contract/codes';
import type { PageReport } from '@touchstone/page';

/** What is recorded of a product whose page was checked. */
export interface SweptProduct {
  readonly productId: string;
  /** When the current certificate was issued; `null`: none has been issued yet. */
  readonly currentSince: Date | null;
  /** An earlier check found a certificate of the product on the page. */
  readonly carried: boolean;
}

/** The result of a sweep for one page. */
export interface PageFinding {
  readonly result: SweepResultName;
  /** `code: sentence`; empty: nothing is wrong. */
  readonly reason: string;
  readonly carried: boolean;
  /** When the proof on the page expires. */
  readonly expiresAt: Date | null;
  /** The proof on the page expires soon, although a newer one has been available for longer than `GRACE`. */
  readonly expiring: boolean;
}

const HOUR = 3_600_000;
/** Milliseconds in which a new certificate reaches its page: a publisher that runs daily, and caches behind it. */
export const GRACE = 30 * HOUR;
/** Milliseconds before its expiry from which a certificate on a page counts as expiring. */
const EXPIRES_SOON = 48 * HOUR;

/** The result for a product's page, derived from the report of its check. Pure. */
export function judgeSweptPage(report: PageReport, product: SweptProduct, now: Date): PageFinding {
  const { mc4p, verdict } = report;
  const signed = mc4p.signed?.productId === product.productId ? mc4p.signed : undefined;
  const carried = product.carried || signed !== undefined;
  const expiresAt = signed === undefined ? null : new Date(signed.expiresAt);
  const superseded = signed !== undefined && isSuperseded(new Date(signed.issuedAt), product, now);
  const finding = (result: SweepResultName, reason = firstNote(report)): PageFinding => {
    const expiring =
      superseded && result === 'stale' && (expiresAt?.getTime() ?? 0) - now.getTime() < EXPIRES_SOON;
    return { result, reason, carried, expiresAt, expiring };
  };
  const landing = isAboutAnotherPage(report) ? cut(report.warnings[0]) : undefined;
  const stale = () => finding('stale', note('certificate_superseded'));
  switch (verdict) {
    case 'page_fetch_failed':
    case 'password_protected':
      return finding('unreachable');
    case 'no_certificate':
    case 'unverified':
      return finding(product.carried ? 'lost' : 'missing');
    case 'certificate_expired':
    case 'verified':
      if (mc4p.product_id !== product.productId) {
        return finding('failed', note('certificate_of_another_product'));
      }
      if (verdict === 'certificate_expired') return finding('expired');
      // a certificate of the product on another page proves nothing about the product's own
      if (landing !== undefined) return superseded ? stale() : finding('failed', landing);
      return superseded ? stale() : finding('verified', '');
    default:
      // validly signed for an earlier state of the product: the page is out of date, not wrong
      return superseded ? stale() : finding('failed', landing);
  }
}

/** Whether a newer certificate of the product has been issued than that on the page, however short ago. */
export function isReplaced({ mc4p }: PageReport, { productId, currentSince }: SweptProduct): boolean {
  const signed = mc4p.signed;
  if (signed?.productId !== productId) return true;
  return currentSince !== null && isOlder(new Date(signed.issuedAt), currentSince);
}

// `iat` has whole seconds
const isOlder = (issuedAt: Date, currentSince: Date) => currentSince.getTime() - issuedAt.getTime() >= 1_000;

function isSuperseded(issuedAt: Date, { currentSince }: SweptProduct, now: Date): boolean {
  if (currentSince === null || !isOlder(issuedAt, currentSince)) return false;
  return now.getTime() - currentSince.getTime() > GRACE;
}

function note(code: keyof typeof SWEEP_CODES): string {
  return `${code}: ${SWEEP_CODES[code]}`;
}

/** Characters; the report has the whole text. */
const MAX_REASON = 300;

function firstNote({ errors, warnings, findings }: PageReport): string {
  return cut(errors[0] ?? warnings[0] ?? findings[0]);
}

function cut(text = ''): string {
  return text.slice(0, MAX_REASON).toWellFormed();
}
