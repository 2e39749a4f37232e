import { comparePageUrls } from '../../binding/compare-page-urls.ts';
import { type CheckContext, failed, passed, textClaim } from '../check-context.ts';
import type { CheckResult } from '../types.ts';

/** Signed `url` matches the page that the document came from: the anti-copy check (spec "Verify verdicts"). */
export function boundToUrl(context: CheckContext): CheckResult {
  const url = textClaim(context, 'url');
  if (typeof url !== 'string') return url;
  const comparison = comparePageUrls(url, context.pageUrl, context.normalizePage);
  return comparison.equal ? passed : failed(comparison.reason, comparison.expected, comparison.actual);
}
