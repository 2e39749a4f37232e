import { MAX_PICTURE_WAIT, STATUS_OF } from '@touchstone/contract';
import type { ItemsVerified, ToolUseCases } from '@touchstone/mcp';
import { toServiceError } from '../../platform/errors.ts';
import type { FindCertificate } from '../certificates/find-certificate.ts';
import type { GetCertificate } from '../certificates/get-product-certificate.ts';
import type { GetJwks } from '../keys/get-jwks.ts';
import type { CheckWithReceipt } from '../page-checks/check-with-receipt.ts';
import type { CheckSite } from '../page-checks/known-sites.ts';
import type { PagePictures } from '../page-checks/page-pictures.ts';
import type { VerifyItem } from '../verification/item-verifier.ts';
import type { VerifyWithReceipt } from '../verification/receipts.ts';

export interface ServiceUseCases {
  readonly verifyProduct: VerifyWithReceipt;
  readonly checkPage: CheckWithReceipt;
  readonly checkSite?: CheckSite | undefined;
  readonly pagePictures?: PagePictures | undefined;
  readonly verifyItem?: VerifyItem | undefined;
  readonly getCertificate: GetCertificate;
  readonly findCertificate: FindCertificate;
  readonly getJwks: () => ReturnType<GetJwks>;
}

/** The service's own use cases on behalf of a caller, the same as for HTTP, so that both give the same answers. */
export function serviceUseCases(service: ServiceUseCases, call: { readonly caller: string }): ToolUseCases {
  const { checkSite, pagePictures, verifyItem } = service;
  return {
    ...(checkSite === undefined
      ? {}
      : { checkSite: (input: { readonly url: string }) => checkSite({ ...input, caller: call.caller }) }),
    ...(pagePictures === undefined
      ? {}
      : {
          pagePictures: (input: { readonly id: string; readonly signal: AbortSignal }) =>
            pagePictures.get({ ...input, wait: MAX_PICTURE_WAIT, caller: call.caller }),
        }),
    ...(verifyItem === undefined ? {} : { verifyItems: (input) => verifyAll(input, verifyItem) }),
    verifyProduct: (input) => service.verifyProduct({ ...input, caller: call.caller }),
    checkPage: async (input) => (await service.checkPage({ ...input, caller: call.caller })).report,
    getCertificate: async (productId) => String((await service.getCertificate(productId)).body),
    findCertificate: async (pageUrl) => String((await service.findCertificate(pageUrl)).document.body),
    getJwks: async () => String((await service.getJwks()).body),
  };
}

/** One after the other: the items of a call are few, and other calls are served in between. */
async function verifyAll(
  { items, source }: Parameters<NonNullable<ToolUseCases['verifyItems']>>[0],
  verifyItem: VerifyItem,
): Promise<ItemsVerified> {
  const verified: ItemsVerified[number][] = [];
  for (const item of items) {
    try {
      verified.push({ result: await verifyItem(item, source) });
    } catch (error) {
      const { code, publicMessage: message } = toServiceError(error);
      // a fault of ours is that of the whole call
      if (STATUS_OF[code] >= 500) throw error;
      verified.push({ error: { code, message } });
    }
  }
  return verified;
}
