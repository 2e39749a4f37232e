import type { SignedClaims } from '@touchstone/certificate/verify';
import { type Paint, safe, table } from './text.ts';

/** What was signed, under a title of its own; nothing where nothing is. */
export function signedText(signed: SignedClaims | undefined, paint: Paint): string {
  if (signed === undefined) return '';
  const { storeName, storeUrl, domain, productName, externalProductId, productId } = signed;
  const { url, contentUrl, issuer, issuedAt, expiresAt, certifiedAssets, totalAssets } = signed;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['shop', `${storeName}, ${storeUrl} (${domain})`],
    ['product', `${productName} (${externalProductId}; ${productId})`],
    ['page', url],
    ['image', contentUrl],
    ['images', totalAssets === undefined ? undefined : `${certifiedAssets} of ${totalAssets} certified`],
    ['issuer', issuer],
    ['issued', issuedAt],
    ['until', expiresAt],
  ];
  return `Signed\n${labelled(rows, paint)}`;
}

/** What the page states, under a title that says what it is worth. */
export function factsText(facts: readonly (readonly [string, string])[], paint: Paint): string {
  return facts.length === 0 ? '' : `Stated by the page, not signed\n${labelled(facts, paint)}`;
}

/** Rows of a label and its value; those without a value are left out. */
export function labelled(
  rows: readonly (readonly [label: string, value: string | undefined])[],
  paint: Paint,
): string {
  return table(
    rows.flatMap(([label, text]) =>
      text === undefined ? [] : [[{ text: label, shown: paint('dim', safe(label)) }, { text }]],
    ),
  );
}
