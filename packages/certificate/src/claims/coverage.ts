import type { Coverage, ImageSnapshot } from './snapshot.ts';

/**
 * Coverage counts of a product's images (spec "Product certificate", rule 1). What counts is the file that the shop
 * serves: one that was signed and is not served covers nothing, nor does an image that was not scanned yet.
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
 * Coverage of so many certified images out of so many, in percent with two decimals; 0 of 0 is 0, since praise for an
 * empty list would mislead.
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
