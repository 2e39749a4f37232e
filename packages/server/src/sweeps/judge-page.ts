import { SWEEP_CODES, type SweepResultName } from '@touchstone/contract/codes';
import type { PageReport } from '@touchstone/page';

/** What is known of a product whose page was checked. */
export interface SweptProduct {
  readonly productId: string;
  /** When the certificate was made that is served now; `null`: none was made yet. */
  readonly currentSince: Date | null;
  /** A certificate of the product was seen on the page before. */
  readonly carried: boolean;
}

/** What a check of a page says of its product. */
export interface PageFinding {
  readonly result: SweepResultName;
  /** `code: sentence`; empty: nothing is wrong. */
  readonly reason: string;
  readonly carried: boolean;
  /** When the proof on the page ends. */
  readonly expiresAt: Date | null;
  /** A newer one has been there for a while, and this one ends soon. */
  readonly expiring: boolean;
}

const HOUR = 3_600_000;
/** Milliseconds in which a new certificate reaches its page: a publisher that runs daily, and caches behind it. */
export const GRACE = 30 * HOUR;
/** Milliseconds before its end at which a certificate on a page counts as about to end. */
const ENDS_SOON = 48 * HOUR;

/** What became of a product's page, by the report of its check. Pure. */
export function judgeSweptPage(report: PageReport, product: SweptProduct, now: Date): PageFinding {
  const { mc4p, verdict } = report;
  const signed = mc4p.signed?.productId === product.productId ? mc4p.signed : undefined;
  const carried = product.carried || signed !== undefined;
  const expiresAt = signed === undefined ? null : new Date(signed.expiresAt);
  const superseded = signed !== undefined && isSuperseded(new Date(signed.issuedAt), product, now);
  const finding = (result: SweepResultName, reason = firstNote(report)): PageFinding => {
    const expiring =
      superseded && result === 'stale' && (expiresAt?.getTime() ?? 0) - now.getTime() < ENDS_SOON;
    return { result, reason, carried, expiresAt, expiring };
  };
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
      return superseded ? stale() : finding('verified', '');
    default:
      // made for what the product was before, and signed soundly: the page is behind, not wrong
      return superseded ? stale() : finding('failed');
  }
}

function isSuperseded(issuedAt: Date, { currentSince }: SweptProduct, now: Date): boolean {
  // proofs state whole seconds
  const isOlder = currentSince !== null && currentSince.getTime() - issuedAt.getTime() >= 1_000;
  return isOlder && now.getTime() - currentSince.getTime() > GRACE;
}

function note(code: keyof typeof SWEEP_CODES): string {
  return `${code}: ${SWEEP_CODES[code]}`;
}

/** Longer ones are in the report. */
const MAX_REASON = 300;

function firstNote({ errors, warnings, findings }: PageReport): string {
  return (errors[0] ?? warnings[0] ?? findings[0] ?? '').slice(0, MAX_REASON).toWellFormed();
}
