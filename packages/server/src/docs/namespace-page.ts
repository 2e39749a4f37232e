import { escapeHtml, readingPage } from './html.ts';

/** The names behind the prefix `svc` (spec "Resources"), with what they mean. */
export const TERMS: Readonly<Record<string, string>> = {
  issuedFor: 'The domain that the certificate is issued for, and the identifiers of what it certifies.',
  status: 'Where the certificate is served by its issuer.',
  record: 'The record of the issuance: where it is read, by which method, and when it was made.',
  images: 'The images of the product, each with the address of its own certificate.',
  trust: 'Coverage: how many of the images carry a C2PA certification. Counts only, no score.',
  assetId: 'The identifier of an image at the issuer.',
  contentCredentials: 'What was found in the bytes of an image: C2PA, a manifest, hashes.',
  nft: 'A blockchain certification of an image, where there is one.',
};

/** /ns: what the namespace of certificates leads a reader to; each name is an anchor. */
export function namespacePage(): string {
  const terms = Object.entries(TERMS).map(
    ([name, meaning]) =>
      `<dt id="${escapeHtml(name)}"><code>svc:${escapeHtml(name)}</code></dt>\n<dd>${escapeHtml(meaning)}</dd>`,
  );
  return readingPage({
    title: 'Namespace of product certificates',
    main:
      '<p>What stands behind the prefix <code>svc:</code> in a certificate. Programs that ask for ' +
      '<code>application/ld+json</code> get the same as JSON-LD. <a href="/docs">API reference</a></p>\n' +
      `<dl>\n${terms.join('\n')}\n</dl>`,
  });
}
