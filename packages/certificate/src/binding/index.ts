/**
 * The only rules for whether two hosts, two page addresses or two product identifiers are the same. Everything that
 * compares them, over every transport, asks here.
 */
export { hasEmptyLabel, hostOf, isDomainOf, isIpLiteral, normalizeHost, sameHost } from './hosts.ts';
export {
  type ImageFile,
  type ImageFiles,
  type ImageOwner,
  imageFileOf,
  otherStoreOf,
  PRODUCT_ASSERTION,
} from './image-files.ts';
export {
  createPageNormalizer,
  MAX_PAGE_URL,
  type NormalizedUrl,
  type NormalizePage,
  normalizePageUrl,
  withRouteOf,
} from './normal-page-url.ts';
export { comparePageUrls, type UrlComparison, type UrlReason } from './page-urls.ts';
export { isUuid, sameProductId } from './product-ids.ts';
