/**
 * The single definition of when two hosts, two page addresses or two product identifiers are equal, used by every
 * comparison over every transport.
 */

export { comparePageUrls, type UrlComparison, type UrlReason } from './compare-page-urls.ts';
export { hasEmptyLabel, hostOf, isDomainOf, isIpLiteral, normalizeHost, sameHost } from './hosts.ts';
export {
  type ImageFile,
  type ImageFiles,
  type ImageOwner,
  imageFileOf,
  otherStoreOf,
  PRODUCT_ASSERTION,
} from './image-files.ts';
export { imageKey } from './image-key.ts';
export {
  createPageNormalizer,
  MAX_PAGE_URL,
  type NormalizedUrl,
  type NormalizePage,
  normalizePageUrl,
  withRouteOf,
} from './normalize-page-url.ts';
export { pageKey, pageKeys } from './page-key.ts';
export { isUuid, sameProductId } from './product-ids.ts';
export { isRequestedPage, upgradedAs } from './same-page.ts';
