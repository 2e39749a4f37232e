import { TERMS } from './namespace-page.ts';

/**
 * The vocabulary behind `svc:` as JSON-LD, for programs that follow a term to its definition.
 *
 * @param namespaceUrl - what stands before each term in a full IRI
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
