import type { ServiceClient } from '../client.ts';
import type { Carried } from './scenes.ts';

type Certificate = Readonly<Record<string, unknown>>;

/** The certificate for a page of the demo, derived from those that the service issued for its product. */
export function carriedCertificate(carries: Carried, issued: { now?: unknown; before?: unknown }): unknown {
  switch (carries) {
    case 'none':
      return undefined;
    case 'current':
      return issued.now ?? issued.before;
    case 'old':
      return issued.before;
    case 'edited':
      return withEditedProof(issued.now as Certificate);
    case 'foreign':
      return pointingTo(issued.now as Certificate, 'https://certificates.elsewhere.example');
    case 'broken':
      return { ...(issued.now as Certificate), 'svc:status': { canonicalSource: { url: 'not an address' } } };
  }
}

/** Keeps header and signature and changes the signed payload: the product gets another name. */
function withEditedProof(certificate: Certificate): Certificate {
  const proof = certificate.proof as { jwt: string };
  const [header = '', payload = '', signature = ''] = proof.jwt.split('.');
  const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
  const edited = Buffer.from(JSON.stringify({ ...claims, productName: 'Golden candle' })).toString(
    'base64url',
  );
  return { ...certificate, proof: { ...proof, jwt: `${header}.${edited}.${signature}` } };
}

function pointingTo(certificate: Certificate, base: string): Certificate {
  const { canonicalSource } = certificate['svc:status'] as { canonicalSource: { url: string } };
  const url = base + new URL(canonicalSource.url).pathname;
  return { ...certificate, 'svc:status': { canonicalSource: { ...canonicalSource, url } } };
}

/** The current certificate of each product, by handle. */
export async function fetchCertificates(
  client: ServiceClient,
  ids: ReadonlyMap<string, string>,
): Promise<Map<string, unknown>> {
  const all = [...ids].map(async ([handle, id]) => [handle, await fetchCertificate(client, id)] as const);
  return new Map(await Promise.all(all));
}

export function fetchCertificate(client: ServiceClient, productId: string): Promise<unknown> {
  return client.call('getProductCertificate', { params: { product_id: productId } });
}
