/** A JPEG whose XMP refers to a remote manifest (C2PA 11.5). */
export function withRemoteManifest(jpeg: Buffer, url: string): Buffer {
  const xmp = `http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#"><rdf:Description rdf:about="" xmlns:dcterms="http://purl.org/dc/terms/" dcterms:provenance="${url}"/></rdf:RDF></x:xmpmeta>`;
  const head = Buffer.from([0xff, 0xe1, (xmp.length + 2) >> 8, (xmp.length + 2) & 0xff]);
  return Buffer.concat([jpeg.subarray(0, 2), head, Buffer.from(xmp), jpeg.subarray(2)]);
}
