import type { Json, Scene, SceneStore } from '../../kit/service.ts';
import { htmlWith } from './product-page.ts';

/** A page for each result of a check: addresses by the result's name on the page of the check. */
export interface VerdictPages {
  readonly urls: Readonly<Record<string, string>>;
  readonly productId: string;
  readonly certificate: Json;
  readonly store: SceneStore;
}

const DAY = 86_400;

/** Serves them in the shop of a scene. @param known - the store of that shop, if there is one */
export async function putVerdictPages(scene: Scene, known?: SceneStore): Promise<VerdictPages> {
  const store = known ?? (await scene.store('shop.example'));
  const cup = await store.product('cup', { name: 'Stoneware cup, 30 cl' });
  const certificate = await scene.certificate(cup.id);
  const gone = await store.product('gone');
  const withdrawn = await scene.certificate(gone.id);
  await scene.operate('DELETE', `/products/${gone.id}`);
  const signedAt = Math.floor(Date.now() / 1000) - 9 * DAY;
  const old = await store.product('old');
  const altered = await store.product('altered');
  const expired = await scene.signedAnew(await scene.certificate(old.id), {
    iat: signedAt,
    exp: signedAt + 7 * DAY,
  });
  const { proof: _proof, ...unsigned } = certificate;
  const pointingTo = (url: string) => ({ ...certificate, 'svc:status': { canonicalSource: { url } } });
  const pages: Readonly<Record<string, readonly [string, Json | null]>> = {
    verified: [cup.url, certificate],
    unverified: ['http://shop.example/products/unsigned', unsigned],
    certificate_expired: [old.url, expired],
    altered: [altered.url, { ...(await scene.certificate(altered.id)), url: cup.url }],
    another_host: ['http://copy.example/products/cup', certificate],
    another_page: ['http://shop.example/products/saucer', certificate],
    no_certificate: ['http://shop.example/products/plain', null],
    invalid_certificate: [
      'http://shop.example/products/invalid',
      pointingTo(`${scene.baseUrl}/api/v1/mc4p/products/cup/certificate`),
    ],
    context_foreign: [
      'http://shop.example/products/cup?variant=2',
      {
        ...certificate,
        '@context': [...(certificate['@context'] as unknown[]), 'https://bargains.example/context'],
      },
    ],
    canonical_mismatch: [
      'http://shop.example/products/elsewhere',
      pointingTo(`https://other.example/api/v1/mc4p/products/${cup.id}/certificate`),
    ],
    product_deleted: [gone.url, withdrawn],
  };
  scene.shop.put('http://shop.example/user/other', (_, response) => {
    response.writeHead(302, { location: cup.url }).end();
  });
  for (const [url, document] of Object.values(pages)) scene.shop.put(url, htmlWith(document));
  scene.shop.put('http://shop.example/products/secret', (_, response) => {
    response.writeHead(302, { location: '/password' }).end();
  });
  scene.shop.put(
    'http://shop.example/password',
    '<!doctype html><html><head><title>The shop</title><script src="https://cdn.shopify.com/s/theme.js"></script></head><body><form action="/password" method="post"><input type="password" name="password"></form></body></html>',
  );
  const urls = Object.fromEntries(Object.entries(pages).map(([name, [url]]) => [name, url]));
  return {
    productId: cup.id,
    certificate,
    store,
    urls: {
      ...urls,
      redirected: 'http://shop.example/user/other',
      password_protected: 'http://shop.example/products/secret',
      page_fetch_failed: 'http://shop.example/products/nothing',
    },
  };
}
