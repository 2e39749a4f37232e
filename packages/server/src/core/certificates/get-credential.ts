import { signEnvelope } from '@touchstone/certificate/envelope';
import type { ProductCertificate } from '@touchstone/contract';
import { ServiceError } from '../../platform/errors.ts';
import type { RenderedDocument } from '../../platform/http/rendered-document.ts';
import { createPermits } from '../../platform/limits/permits.ts';
import type { SigningKeys } from '../keys/open-proof-keys.ts';
import { type CertificateOptions, loadCertificate } from './get-product-certificate.ts';
import { renderCertificate, renderEnvelope } from './rendered-certificate.ts';

/**
 * The certificate of a product as a W3C credential in an envelope (docs/format.md, section 12); the identity-only document if it is not
 * active.
 *
 * @throws as `GetCertificate`
 */
export type GetCredential = (
  productId: string,
) => RenderedDocument<ProductCertificate | string> | Promise<RenderedDocument<ProductCertificate | string>>;

interface CredentialOptions extends CertificateOptions {
  readonly keys: Pick<SigningKeys, 'signer' | 'signerOf' | 'verifierOf'>;
  readonly onSignature?: (() => void) | undefined;
}

/** Envelopes that a node signs at a time: they are not recorded, so requests for many products must not take the threads of proofs. */
const AT_A_TIME = 1;
/** Milliseconds to wait for that. */
const PATIENCE = 3_000;

export function createGetCredential(options: CredentialOptions): GetCredential {
  const permits = createPermits(AT_A_TIME, 'signer_unavailable');

  /** Signed by the key of the proof while that can sign: RS256 is deterministic, so every node answers the same bytes. */
  const seal = async (document: object, kid: string): Promise<string> => {
    const { keys, onSignature } = options;
    const signer = (await keys.signerOf(kid)) ?? (await keys.signer());
    const keySet = await keys.verifierOf(signer.kid);
    if (keySet === null) throw new ServiceError('signer_unavailable', { retryAfter: 1 });
    onSignature?.();
    return signEnvelope(document, signer, keySet).catch((cause: unknown) => {
      throw new ServiceError('signer_unavailable', { cause, retryAfter: 5 });
    });
  };

  const load = async (productId: string) => {
    const { product, document, proof } = await loadCertificate(options, productId);
    if (proof === undefined) return renderCertificate<ProductCertificate | string>(product, document);
    const envelope = await permits.run('envelopes', AbortSignal.timeout(PATIENCE), () =>
      seal(document, proof.kid),
    );
    return renderEnvelope(product, envelope, proof);
  };

  return (productId) => {
    const id = productId.toLowerCase();
    return options.cache.get<ProductCertificate | string>(`vc:${id}`, () => load(id));
  };
}
