import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createTestIssuer, TEST_PRODUCT } from '@touchstone/certificate/testing';
import { MINIFLARE, openWorkerd } from '../../test/publishing/runtime.ts';
import { alternate, median, ratioOf } from '../kit/rounds.ts';
import { round } from '../kit/row.ts';
import type { Bench } from '../kit/run.ts';

const ROUNDS = 40;
const PAGES = 40;
/** Bytes of a typical product page. */
const PAGE_BYTES = 200_000;
const ID = TEST_PRODUCT.productId;
const PAGE_URL = `https://shop.example/products/${ID}`;

/**
 * A page with its certificate through workerd, compared with the same page through the same worker without one; skipped if workerd is not
 * installed.
 */
export const edge: Bench = async ({ onEnd, tell }) => {
  if (MINIFLARE === null) {
    tell('left out: npm run tools installs workerd');
    return [];
  }
  const listening = async (listener: RequestListener) => {
    const server = createServer(listener);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    onEnd(async () => {
      server.closeAllConnections();
      server.close();
    });
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  };
  const parts = '<div class="a"><p data-x="1">A cup of stoneware</p></div>'.repeat(PAGE_BYTES / 56);
  const page = `<!doctype html><html><head><title>Cup</title></head><body>${parts}</body></html>`;
  const issuer = await createTestIssuer();
  const certificate = JSON.stringify(
    await issuer.certificate({
      issuedAt: new Date(),
      claims: { url: PAGE_URL },
      document: { url: PAGE_URL },
    }),
  );
  const ORIGIN = await listening((_, response) =>
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page),
  );
  const SERVICE = await listening((_, response) =>
    response.writeHead(200, { 'content-type': 'application/ld+json' }).end(certificate),
  );
  const workerd = await openWorkerd({ ORIGIN, SERVICE, OPTIONS: { patience: 5_000 } });
  onEnd(workerd.close);

  /** Milliseconds per page. */
  const pages = (url: string, isCertified: boolean) => async () => {
    const begun = performance.now();
    for (let n = 0; n < PAGES; n += 1) {
      const text = await (await workerd.fetch(url)).text();
      if (text.includes('data-touchstone') !== isCertified)
        throw new Error(`${url} is not the page it should be`);
    }
    return (performance.now() - begun) / PAGES;
  };
  const figures = await alternate(ROUNDS, {
    certified: pages(PAGE_URL, true),
    plain: pages(PAGE_URL.replace('/products/', '/plain/'), false),
  });
  const ms = (all: readonly number[]) => `${round(median(all))} ms`;
  return [
    {
      name: 'page with its certificate, in workerd',
      against: 'the same page through the worker without',
      ratio: ratioOf(figures.certified, figures.plain),
      goal: ['<=', 1.5],
      detail: `a page of ${PAGE_BYTES / 1000} KB: ${ms(figures.certified)} against ${ms(figures.plain)}`,
    },
  ];
};
