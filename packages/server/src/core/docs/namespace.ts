import { escapeHtml, readingPage } from './html.ts';

/** The terms of the namespace `svc` (spec "Resources") with their meaning. */
const TERMS: Readonly<Record<string, string>> = {
  issuedFor: 'The domain for which the certificate is issued, and the identifiers of what it certifies.',
  status: 'Where the certificate is served by its issuer.',
  record: 'The record of the issuance: where and with which method it is read, and when it was made.',
  images: 'The images of the product, each with the address of its own certificate.',
  trust: 'Coverage: how many of the images have a C2PA certification. Only counts, not a score.',
  assetId: 'The identifier of an image at the issuer.',
  contentCredentials: 'What was found in the bytes of an image: C2PA, a manifest, hashes.',
  logProof: 'The inclusion of the proof in the transparency log of its issuer, as tlog-proof text (C2SP).',
  certificate: 'In an item of a feed: the certificate of its product, as JSON.',
  withdrawn: 'In an update of a feed: a product that no longer has a certificate.',
  cursor: 'In an item of a feed: the position after it in the stream of its store.',
  end: 'The last element of a feed: the cursor from which it continues.',
  nft: 'A blockchain certification of an image, if there is one.',
};

/** /ns: the page of the namespace, with an anchor for each term. */
export function namespacePage(): string {
  const terms = Object.entries(TERMS).map(
    ([name, meaning]) =>
      `<dt id="${escapeHtml(name)}"><code>svc:${escapeHtml(name)}</code></dt>\n<dd>${escapeHtml(meaning)}</dd>`,
  );
  return readingPage({
    title: 'Namespace of product certificates',
    main:
      '<p>The terms behind the prefix <code>svc:</code> in a certificate. Programs that request ' +
      '<code>application/ld+json</code> get the same as JSON-LD. <a href="/docs">API reference</a></p>\n' +
      `<dl>\n${terms.join('\n')}\n</dl>`,
  });
}

/**
 * The vocabulary behind `svc:` as JSON-LD, for programs that follow a term to its definition.
 *
 * @param namespaceUrl - the IRI of the namespace, to which each term is appended
 */
export function namespaceDocument(namespaceUrl: string): object {
  return {
    '@context': {
      svc: namespaceUrl,
      rdf: 'http://www.w3.org/1999/02/22-rdf-syntax-ns#',
      rdfs: 'http://www.w3.org/2000/01/rdf-schema#',
      owl: 'http://www.w3.org/2002/07/owl#',
      label: 'rdfs:label',
      comment: 'rdfs:comment',
      isDefinedBy: { '@id': 'rdfs:isDefinedBy', '@type': '@id' },
    },
    '@graph': [
      { '@id': namespaceUrl, '@type': 'owl:Ontology', label: 'Namespace of product certificates' },
      ...Object.entries(TERMS).map(([name, comment]) => ({
        '@id': `svc:${name}`,
        '@type': 'rdf:Property',
        label: name,
        comment,
        isDefinedBy: namespaceUrl,
      })),
    ],
  };
}
