import type { Coverage, ImageSnapshot } from './snapshot.ts';

/**
 * Coverage counts of a product's images (spec "Product certificate", rule 1). The file that the shop serves counts: an
 * image whose signed file is not served is not covered, nor is one that has not been scanned yet.
 *
 * @example
 * ```ts
 * import { coverageOf } from '@touchstone/certificate';
 *
 * coverageOf([{ credentials: { hasC2PA: true, hasManifest: true } }, {}]).coveragePercent; // 50
 * ```
 */
export function coverageOf(images: readonly Pick<ImageSnapshot, 'credentials'>[]): Coverage {
  const isCovered = ({ credentials }: Pick<ImageSnapshot, 'credentials'>) =>
    credentials?.hasC2PA === true && credentials.served !== 'source';
  const certifiedAssets = images.filter(isCovered).length;
  return coverage(certifiedAssets, images.length);
}

/**
 * Coverage for these counts, in percent with two decimals; 0 of 0 is 0, since 100 for an empty list would be
 * misleading.
 *
 * @example
 * ```ts
 * import { coverage } from '@touchstone/certificate';
 *
 * coverage(1, 3); // { certifiedAssets: 1, totalAssets: 3, coveragePercent: 33.33 }
 * ```
 */
export function coverage(certifiedAssets: number, totalAssets: number): Coverage {
  const coveragePercent = totalAssets === 0 ? 0 : Math.round((certifiedAssets / totalAssets) * 10_000) / 100;
  return { certifiedAssets, totalAssets, coveragePercent };
}
