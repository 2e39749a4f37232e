import { type Addresses, identityOnlyProduct, productCertificate } from '@touchstone/certificate/issue';
import type { ProductCertificate } from '@touchstone/contract';
import { ServiceError } from '../../platform/errors.ts';
import type { RenderedDocument } from '../../platform/http/rendered-document.ts';
import type { SnapshotLoader } from './load-snapshot.ts';
import type { ProofStore } from './proof-store.ts';
import { type CertificateCache, renderCertificate } from './rendered-certificate.ts';
import { signedBy } from './signed-document.ts';

export interface CertificateOptions {
  readonly snapshots: SnapshotLoader;
  readonly proofs: ProofStore;
  readonly cache: CertificateCache;
  readonly addresses: Addresses;
}

/**
 * Spec, Endpoints 1: the certificate of a product.
 *
 * @throws ServiceError `product_unknown` (unknown, disabled, deleted), `signer_unavailable` (an active product
 *   that has no proof and cannot get one: never a 200 without `proof`), `database_unavailable`
 */
export type GetCertificate = (
  productId: string,
) => RenderedDocument<ProductCertificate> | Promise<RenderedDocument<ProductCertificate>>;

export function createGetCertificate(options: CertificateOptions): GetCertificate {
  const load = async (productId: string) => {
    const { product, document, proof } = await loadCertificate(options, productId);
    return renderCertificate<ProductCertificate>(product, document, proof);
  };

  return (productId) => {
    const id = productId.toLowerCase();
    return options.cache.get(`p:${id}`, () => load(id));
  };
}

/** A product with its document; with a proof, if it is active. @throws as `GetCertificate` */
export async function loadCertificate(
  { snapshots, proofs, addresses }: Omit<CertificateOptions, 'cache'>,
  productId: string,
) {
  const product = await snapshots.product(productId);
  if (product === null) throw new ServiceError('product_unknown');
  const { snapshot, merchantId, withdrawnAt } = product;
  if (product.state === 'not_active')
    return { product, document: identityOnlyProduct(snapshot, addresses), proof: undefined };
  const { productId: id } = snapshot;
  const proof = await proofs.proofFor({ merchantId, kind: 'product', id, snapshot, withdrawnAt });
  // made from the record, not from the loaded product: every node must answer the same bytes
  return { product, document: productCertificate(proof.snapshot, signedBy(proof), addresses), proof };
}
