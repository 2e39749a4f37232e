import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { certificateScript } from '@touchstone/certificate/embed';
import { ROOT } from '../../kit/imports.ts';
import { type Operated, openStore, operate, putProducts } from '../../kit/registry.ts';
import { spawnServe, untilReady } from '../../kit/serve-process.ts';
import { freePort } from '../../kit/servers.ts';
import type { Values } from './run-guide.ts';
import { serveSite, writeSite } from './shop.ts';

/** Where a reader sits: a folder, and what the guide takes for granted. */
export interface Place {
  readonly folder: string;
  readonly values: Values;
  /** Settings of the reader that no guide asks for. */
  readonly env: Readonly<Record<string, string>>;
  close(): Promise<void>;
}

interface ShopPlace extends Place {
  readonly service: Operated;
}

/** @param home - an empty folder, for this place alone */
export type OpenPlace = (home: string) => Promise<Place>;

/** A fresh clone. */
export const inClone: OpenPlace = async (home) => {
  const folder = join(home, 'touchstone');
  execFileSync('git', ['clone', '--quiet', ROOT, folder]);
  const file = join(home, 'authorities.pem');
  writeFileSync(file, rootCertificates.slice(0, 3).join('\n'));
  return { folder, values: { FOLDER: home, AUTHORITIES: file }, env: {}, close: async () => {} };
};

/** A merchant with a built site, its feed, an account at a service, and nothing else. */
export const atShop = async (home: string): Promise<ShopPlace> => {
  const folder = join(home, 'shop');
  mkdirSync(folder);
  const site = await serveSite(folder);
  const { port } = site;
  const shop = `http://localhost:${port}`;
  writeSite(folder, shop);
  // a page at a private address is fetched only if a setting names it
  const env = { TOUCHSTONE_FETCH_CONNECT_TO: `localhost:${port}=127.0.0.1:${port}` };
  const service = spawnServe({
    port: await freePort(),
    dataDir: join(home, 'data'),
    env: { TOUCHSTONE_FETCH_PORTS: `80,443,${port}`, ...env },
  });
  const close = async () => {
    await service.stop();
    await site.close();
  };
  try {
    await untilReady(service);
    const merchant = await operate<{ id: string }>(service, 'POST', '/merchants', {
      name: 'Kiln House',
      planCapacity: 10,
    });
    const { key } = await operate<{ key: string }>(service, 'POST', `/merchants/${merchant.id}/api-keys`, {});
    return {
      service,
      folder,
      values: { SERVICE: service.url, SHOP: shop, HOST: 'localhost', KEY: key, MERCHANT: merchant.id },
      env,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

/** The same merchant, whose products are already at the service. */
export const withStore = async (home: string): Promise<ShopPlace> => {
  const place = await atShop(home);
  try {
    const { SHOP = '', MERCHANT = '' } = place.values;
    const store = await openStore(place.service, SHOP, { merchantId: MERCHANT, name: 'Kiln House' });
    const rows = [{ externalProductId: 'cup', name: 'Cup', url: `${SHOP}/products/cup` }];
    const [id = ''] = await putProducts(place.service, store.id, rows);
    // issued when it is first asked for, at the latest
    await operate(place.service, 'GET', `/api/v1/mc4p/products/${id}/certificate`);
    return { ...place, values: { ...place.values, STORE: store.id, PRODUCT: id } };
  } catch (error) {
    await place.close();
    throw error;
  }
};

/** The same, with the certificate on the page of the product, on a proven host. */
export const withCertifiedPage: OpenPlace = async (home) => {
  const place = await withStore(home);
  try {
    const { STORE = '', PRODUCT = '', HOST = '' } = place.values;
    const certificate = await operate(place.service, 'GET', `/api/v1/mc4p/products/${PRODUCT}/certificate`);
    const page = join(place.folder, 'dist/products/cup/index.html');
    const block = certificateScript(certificate);
    writeFileSync(page, readFileSync(page, 'utf8').replace('</head>', `${block}</head>`));
    const { domains } = await operate<{ domains: { challenge: string }[] }>(
      place.service,
      'GET',
      `/stores/${STORE}`,
    );
    mkdirSync(join(place.folder, 'dist/.well-known'));
    writeFileSync(join(place.folder, 'dist/.well-known/touchstone-challenge'), domains[0]?.challenge ?? '');
    await operate(place.service, 'POST', `/stores/${STORE}/domains/${HOST}/verify`);
    return place;
  } catch (error) {
    await place.close();
    throw error;
  }
};

/** The environment of a reader: this Node, npm, and no settings of ours. */
export function environmentOf(home: string, node: string): Record<string, string> {
  const bin = join(home, 'bin');
  mkdirSync(bin);
  symlinkSync(node, join(bin, 'node'));
  const system = (process.env.PATH ?? '').split(':').filter((path) => !path.includes('node_modules'));
  return {
    ...Object.fromEntries(Object.entries(process.env).filter(([name]) => KEPT.test(name))),
    PATH: [bin, join(home, 'global/bin'), ...system].join(':'),
    npm_config_prefix: join(home, 'global'),
    npm_config_prefer_offline: 'true',
    npm_config_update_notifier: 'false',
  };
}

/** How this machine reaches its registry. */
const KEPT =
  /^(?:HOME|LANG|TMPDIR|https?_proxy|no_proxy|HTTPS?_PROXY|NO_PROXY|SSL_CERT_FILE|NODE_EXTRA_CA_CERTS)$/;

/** Runs `work` with a folder of its own, which is deleted afterwards. */
export async function withHome(work: (home: string) => Promise<void>): Promise<void> {
  const home = mkdtempSync(join(tmpdir(), 'touchstone-guide-'));
  // the database of a service that root starts belongs to another user
  chmodSync(home, 0o755);
  try {
    await work(home);
  } finally {
    rmSync(home, { recursive: true, force: true });
  }
}
