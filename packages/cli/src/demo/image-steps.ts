import { setTimeout as delay } from 'node:timers/promises';
import { getAssetCertificate, type ImageProgress, pathOf } from '@touchstone/contract';
import type { ServiceClient } from '../client.ts';
import type { Paint } from '../output/style.ts';
import { PAINTED_OVER, SIGNED } from './pictures.ts';
import type { DemoStore } from './registry-steps.ts';

/** Milliseconds between two questions of how far the images are. */
const PACE = 100;

/** Asks for signatures on images that carry none, and waits until every image is scanned. */
export async function certifyImages(service: ServiceClient, store: DemoStore): Promise<ImageProgress> {
  const params = { store_id: store.storeId };
  await service.call('updateStore', { params, body: { signImages: true } });
  for (;;) {
    const counts = await service.call('getImageProgress', { params });
    if (counts.waiting === 0) return counts;
    await delay(PACE);
  }
}

/** What became of the images, in words; and whether it is what must. */
export function imageLines({ total, failed, certified, signedByUs }: ImageProgress, paint: Paint) {
  const own = certified - signedByUs;
  const right = failed === 0 && own === SIGNED.length && certified === total - 1;
  const lines = [
    `${total} images scanned: ${own} certified by the manifest that they came with (${SIGNED.join(', ')}),`,
    `  ${signedByUs} without one signed by the service with a development chain that nobody trusts,`,
    `  ${total - certified} not certified: ${PAINTED_OVER} was painted over after it was signed, and is signed by nobody now.`,
  ];
  const mark = right ? paint('good', 'as expected') : paint('bad', 'NOT AS EXPECTED');
  return { right, text: `${lines.join('\n')}  (${mark})` };
}

/** Where the images of a product can be seen with what is known of them. */
export async function imageAddresses(
  service: ServiceClient,
  productId: string,
): Promise<readonly { readonly asset: string; readonly hasC2PA: boolean }[]> {
  const { images } = await service.call('getProduct', { params: { product_id: productId } });
  return Promise.all(
    images.map(async ({ id }) => {
      const params = { asset_id: id };
      const asset = await service.call('getAssetCertificate', { params });
      const url = service.baseUrl + pathOf(getAssetCertificate, params);
      return { asset: url, hasC2PA: asset['svc:contentCredentials']?.hasC2PA === true };
    }),
  );
}
