import type { PageVerdict } from '@touchstone/page';
import { withCertificate } from './certified-html.ts';
import { type CertifiedPage, copyingHost, type Json } from './certified-shops.ts';

/** A change of a certified page, and the expected result of checking it. */
export interface Variant {
  readonly name: string;
  readonly copied?: true;
  /** The certificate on the page; absent: the shop's unchanged HTML. */
  readonly carries?: (page: CertifiedPage, another: CertifiedPage) => Json;
  readonly verdict: PageVerdict;
  /** A code that must be among the reasons, as the first unless `leads` is given; absent: there must be no reason. */
  readonly because?: string;
  /** The codes of which one must be first; absent: that of `because`. */
  readonly leads?: readonly string[];
  /** Exit code of the command. */
  readonly exit: number;
}

export const VARIANTS: readonly Variant[] = [
  { name: 'as it is', carries: ({ now }) => now, verdict: 'verified', exit: 0 },
  { name: 'certificate taken out', verdict: 'no_certificate', because: 'certificate_absent', exit: 2 },
  {
    name: 'copied to a foreign host',
    copied: true,
    carries: ({ now }) => now,
    verdict: 'checks_failed',
    because: 'domain_differs',
    exit: 1,
  },
  {
    name: 'proof edited',
    carries: ({ now }) => withEditedProof(now),
    verdict: 'checks_failed',
    because: 'signature_mismatch',
    exit: 1,
  },
  {
    name: "another product's proof",
    carries: ({ now }, another) => ({ ...now, proof: another.now.proof }),
    verdict: 'checks_failed',
    because: 'product_differs',
    // of the same store, or of another one
    leads: ['document_differs', 'domain_differs'],
    exit: 1,
  },
  {
    name: 'past its 7 days',
    carries: ({ before }) => before,
    verdict: 'certificate_expired',
    because: 'certificate_past_lifetime',
    exit: 2,
  },
  {
    name: 'copied and past',
    copied: true,
    carries: ({ before }) => before,
    verdict: 'checks_failed',
    because: 'domain_differs',
    exit: 1,
  },
];

export function addressOf({ copied }: Variant, { url }: CertifiedPage): string {
  if (copied === undefined) return url;
  const copy = new URL(url);
  copy.host = copyingHost(url);
  return copy.href;
}

export function htmlOf(
  { carries }: Variant,
  page: CertifiedPage,
  pages: readonly CertifiedPage[],
): Uint8Array {
  return carries === undefined
    ? page.html
    : withCertificate(page.html, carries(page, neighbour(page, pages)));
}

/** Another page of the same store, or of the next one if the store has no other. */
function neighbour(page: CertifiedPage, pages: readonly CertifiedPage[]): CertifiedPage {
  const at = pages.indexOf(page);
  const others = [...pages.slice(at + 1), ...pages.slice(0, at)];
  const host = new URL(page.url).host;
  const other = others.find(({ url }) => new URL(url).host === host) ?? others[0];
  if (other === undefined) throw new Error('there is only one page');
  return other;
}

/** Keeps header and signature, and changes the claims: the product gets another name. */
function withEditedProof(certificate: Json): Json {
  const proof = certificate.proof as { readonly jwt: string };
  const [header, payload = '', signature] = proof.jwt.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Json;
  const edited = Buffer.from(JSON.stringify({ ...claims, productName: `${claims.productName} (new)` }));
  return {
    ...certificate,
    proof: { ...proof, jwt: `${header}.${edited.toString('base64url')}.${signature}` },
  };
}
