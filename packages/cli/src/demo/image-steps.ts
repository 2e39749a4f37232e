import { setTimeout as delay } from 'node:timers/promises';
import type { ServiceClient } from '../client/service-client.ts';
import type { Paint } from '../output/style.ts';
import { call, type DemoStore } from './registry-steps.ts';
import { FROM_STUDIO, PAINTED_OVER } from './studio.ts';

interface Counts {
  readonly total: number;
  readonly waiting: number;
  readonly failed: number;
  readonly certified: number;
  readonly signedByUs: number;
}

/** Milliseconds between two questions of how far the images are. */
const PACE = 100;

/** Asks for signatures on images that carry none, and waits until every image was looked at. */
export async function certifyImages(service: ServiceClient, store: DemoStore): Promise<Counts> {
  await call(service, 'PATCH', `/stores/${store.storeId}`, { signImages: true });
  for (;;) {
    const counts = await call<Counts>(service, 'GET', `/stores/${store.storeId}/images/progress`);
    if (counts.waiting === 0) return counts;
    await delay(PACE);
  }
}

/** What became of the images, in words; and whether it is what must. */
export function imageLines({ total, failed, certified, signedByUs }: Counts, paint: Paint) {
  const own = certified - signedByUs;
  const right = failed === 0 && own === FROM_STUDIO.length && certified === total - 1;
  const lines = [
    `${total} images looked at: ${own} certified by the manifest that they came with (${FROM_STUDIO.join(', ')}),`,
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
  const product = await call<{ images: { id: string }[] }>(service, 'GET', `/products/${productId}`);
  return Promise.all(
    product.images.map(async ({ id }) => {
      const path = `/api/v1/mc4p/assets/${id}/certificate`;
      const asset = (await service.request({ method: 'GET', path })) as {
        'svc:contentCredentials'?: { hasC2PA: boolean };
      };
      return { asset: service.baseUrl + path, hasC2PA: asset['svc:contentCredentials']?.hasC2PA === true };
    }),
  );
}
