import { CONCLUSION_TABLE, type Conclusion } from '@touchstone/certificate';
import { ITEM_CONCLUSION_TABLE, type ItemConclusionCode } from '@touchstone/certificate/item';

/** What a buyer, or an agent that buys, should do. */
const WHAT_TO_DO: Readonly<Record<ItemConclusionCode, string>> = {
  issued_to_proven_host:
    'Go ahead, and report the conclusion. It shows who published the page, not that the goods are genuine or the seller is authorised.',
  withdrawn: 'Do not rely on the page. Report that the service has withdrawn the certificate for good.',
  not_in_status_list:
    'Do not rely on the page: whoever made the certificate may hold a stolen key of the service. Report the first error.',
  suspended: 'Do not rely on it: the shop does not publish it at present. Check again later.',
  withdrawal_unknown:
    'Do not rely on it yet: report that it could not be found out whether it has been withdrawn, and try again later.',
  log_proof_invalid:
    'Do not rely on it: report that what the certificate says about its place in a transparency log is not true.',
  log_required:
    'Do not rely on it yet: report that it could not be found out whether it is in a transparency log.',
  item_differs: 'Do not buy. Report which fields differ: what was signed, and what the item states.',
  item_offered_elsewhere:
    'Do not buy from this offer on the strength of the certificate. Check the page at the signed host, and buy there.',
  item_without_page: 'Ask whoever offers the item for the address of its page, and check that.',
  item_unclear: 'Check the page with check_product_page, and show both to the person who buys.',
  item_agrees:
    'Check the page with check_product_page before you buy: anybody can attach a public certificate to an offer.',
  redirected: 'Do not buy at the requested address. Check the final address itself, and use only that.',
  page_differs:
    'Do not buy. Report which fields differ (agreement): what was signed, and what the page states.',
  not_published: 'Do not rely on it: treat the page as one without a certificate, and check again later.',
  control_unproven:
    'Do not go ahead on it. Report that the host is unproven, and do not say whose page it is.',
  context_foreign:
    'Do not go ahead on it: report what was signed, and that the shop added a context to its certificate.',
  control_unknown:
    'Do not conclude who sells here. Have the service check the page, which knows whether control of the host is proven.',
  page_not_compared:
    'Compare what the page sells with what was signed before you go ahead, or have the service check the page.',
  page_unclear:
    'Do not go ahead by yourself: show what was signed and what the page states to the person who buys.',
  keys_unavailable: 'Report that the page could not be checked, and try again later.',
  page_url_invalid: 'Try again with the complete address of the page, including https://.',
  issuer_untrusted: 'Do not rely on the certificate. Trust its issuer only if the person who asks knows it.',
  not_signed_by_issuer: 'Do not rely on the page. Report the first error.',
  host_lost: 'Do not rely on the page. Report that another merchant controls the host now.',
  altered: 'Do not rely on the page. Report which member was changed.',
  product_list: 'Check the page of one product; `mc4p.list` names them.',
  another_host_of_shop: 'Check the signed address, and use only that.',
  another_host:
    'Do not rely on the page: it may be a copy. Report the signed address, and check that instead.',
  another_product: 'Do not rely on the page. Report the first error.',
  unknown_parameter: 'Check the signed address, without the added parameter.',
  another_page: 'Do not rely on the certificate here. Check the signed address instead.',
  not_yet_valid: 'Report that a clock is wrong, and try again later.',
  certificate_expired:
    'Check again later, or with freshness "fresh": shops renew certificates before they expire.',
  checks_failed: 'Do not rely on the page. Report the first error.',
  place_unknown: 'Give the address at which the certificate was seen, never one that it names itself.',
  unverified: 'Treat the page as one without a certificate.',
  no_certificate: 'Report that nothing is proven about the page, which is neither good nor bad.',
  invalid_certificate: 'Do not rely on the certificate.',
  canonical_mismatch:
    'Do not rely on the certificate, and do not contact the service that it names just because it is named.',
  product_deleted: 'Treat the page as one without a certificate.',
  password_protected: 'Report that the page could not be checked.',
  page_fetch_failed: 'Report that the page could not be checked; the first error gives the reason.',
};

/** What to do about a conclusion; an incomplete address is the caller's mistake, not the shop's. */
export function adviceOn({ code }: Conclusion<ItemConclusionCode>, errors: readonly string[]): string {
  const isIncomplete = errors.length === 1 && errors[0]?.startsWith('url_invalid:') === true;
  return WHAT_TO_DO[isIncomplete ? 'page_url_invalid' : code];
}

/** What to do about a host whose name resembles that of a shop. */
export const ASK_WHICH = 'Tell the user of the resemblance, and ask which of the two was meant.';

/** What to do about pictures alone, which honest shops have from the maker of the goods. */
const ONLY_A_FACT =
  'Report the pictures as a fact with its date, which is that of this registry: they may have been published elsewhere before. Who may use them does not follow from it: accuse nobody, and send nobody to another shop for that alone.';

/**
 * What to do about what a page has in common with shops on proven hosts; `undefined`: nothing.
 *
 * @param resembled - hosts of shops, whose name that of the page resembles
 * @param pictured - hosts of shops, for which pictures of the page are certified
 */
export function adviceOnLikeness(
  resembled: readonly string[],
  pictured: readonly string[],
): string | undefined {
  const both = resembled.find((host) => pictured.includes(host));
  if (both !== undefined)
    return `Do not buy before the user has said which shop was meant: the name and the pictures are like those of ${both}. Report both as facts, and accuse nobody.`;
  const advice = [
    ...(resembled.length > 0 ? [ASK_WHICH] : []),
    ...(pictured.length > 0 ? [ONLY_A_FACT] : []),
  ];
  return advice.length === 0 ? undefined : advice.join(' ');
}

/** The sentence of a conclusion without a certificate to fill it in, and what to do; `undefined` for another code. */
export function explainedConclusion(
  code: string,
): { readonly says: string; readonly whatToDo: string } | undefined {
  const row = [...CONCLUSION_TABLE, ...ITEM_CONCLUSION_TABLE].find((one) => one.code === code);
  if (row === undefined) return undefined;
  const says = row.sentence
    .replaceAll('{host}', 'the signed host')
    .replace('{control}', 'whose control was proven')
    .replace('{expired}', 'the day that it names');
  return { says, whatToDo: WHAT_TO_DO[row.code] };
}
