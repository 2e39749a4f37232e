import type { CachedUseCases, ToolUseCases } from '@touchstone/mcp';
import type { FindCertificate } from '../certificates/find-certificate.ts';
import type { GetCertificate } from '../certificates/get-product-certificate.ts';
import type { CachedCertificates } from '../certificates/open-certificates.ts';
import type { GetJwks } from '../keys/get-jwks.ts';
import type { CheckPage } from '../page-checks/check-page.ts';
import type { VerifyProduct } from '../verification/verify-product.ts';

export interface ServiceUseCases {
  readonly verifyProduct: VerifyProduct;
  readonly checkPage: CheckPage;
  readonly getCertificate: GetCertificate;
  readonly findCertificate: FindCertificate;
  readonly getJwks: () => ReturnType<GetJwks>;
}

/** The service's own use cases on behalf of a caller, the same as for HTTP, so that both give the same answers. */
export function serviceUseCases(service: ServiceUseCases, call: { readonly caller: string }): ToolUseCases {
  return {
    verifyProduct: service.verifyProduct,
    checkPage: async (input) => (await service.checkPage({ ...input, caller: call.caller })).report,
    getCertificate: async (productId) => textOf(await service.getCertificate(productId)),
    findCertificate: async (pageUrl) => textOf((await service.findCertificate(pageUrl)).document),
    getJwks: async () => textOf(await service.getJwks()),
  };
}

/** Those of them that may be answered from the cache. */
export interface CachedService {
  readonly verifyProduct: Pick<VerifyProduct, 'ifCached'>;
  readonly cachedCertificates: Pick<CachedCertificates, 'product'>;
}

export function cachedUseCases({ verifyProduct, cachedCertificates }: CachedService): CachedUseCases {
  return {
    verifyProduct: (input) => verifyProduct.ifCached({ ...input, productId: input.productId.toLowerCase() }),
    getCertificate: (productId) => {
      const document = cachedCertificates.product(productId.toLowerCase());
      return document === undefined ? undefined : textOf(document);
    },
  };
}

function textOf({ body }: { readonly body: Uint8Array }): string {
  return new TextDecoder().decode(body);
}
