import type { SignedClaims } from '@touchstone/certificate/verify';
import { type Paint, safe, table } from './text.ts';

/** The signed claims under a title; empty if there are none. */
export function signedText(signed: SignedClaims | undefined, paint: Paint): string {
  if (signed === undefined) return '';
  const { storeName, storeUrl, domain, productName, externalProductId, productId } = signed;
  const { control, url, contentUrl, issuer, issuedAt, expiresAt, certifiedAssets, totalAssets } = signed;
  const rows: readonly (readonly [string, string | undefined])[] = [
    ['shop', `${storeName}, ${storeUrl} (${domain})`],
    ['control', controlText(control)],
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

const METHODS: ReadonlyMap<string, string> = new Map([
  ['dns_txt', 'a DNS record'],
  ['well_known', 'a file on the host'],
  ['meta_tag', 'a line in its home page'],
]);

/** Whether control of the host had been proven when it was signed; older proofs do not say. */
function controlText(control: SignedClaims['control']): string | undefined {
  if (control === undefined) return undefined;
  const { method, checkedAt } = control;
  if (checkedAt === undefined) return 'of the host not proven when this was signed';
  return `of the host proven by ${METHODS.get(method) ?? method}, last checked ${checkedAt}`;
}

/** The page's statements, under a title that says that they are unsigned. */
export function factsText(facts: readonly (readonly [string, string])[], paint: Paint): string {
  return facts.length === 0 ? '' : `Stated by the page, not signed\n${labelled(facts, paint)}`;
}

/** Rows of label and value, without empty values. */
export function labelled(
  rows: readonly (readonly [label: string, value: string | undefined])[],
  paint: Paint,
): string {
  return table(
    rows.flatMap(([label, text]) =>
      text === undefined ? [] : [[{ text: label, shown: paint('dim', safe(label)) }, text]],
    ),
  );
}
