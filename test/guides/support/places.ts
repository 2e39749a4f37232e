import { execFileSync } from 'node:child_process';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { rootCertificates } from 'node:tls';
import { certificateScript } from '@touchstone/certificate/embed';
import { ROOT } from '../../support/imports.ts';
import { freePort, registry, spawnServe, untilReady } from '../../support/serve-process.ts';
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
export const atShop: OpenPlace = async (home) => {
  const folder = join(home, 'shop');
  mkdirSync(folder);
  const { server, port } = await serveSite(folder);
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
    service.kill('SIGTERM');
    await service.ended;
    server.closeAllConnections();
    server.close();
  };
  try {
    await untilReady(service);
    const merchant = await created(service.url, '/merchants', { name: 'Kiln House', planCapacity: 10 });
    const { key } = await created(service.url, `/merchants/${merchant.id}/api-keys`, {});
    return {
      folder,
      values: { SERVICE: service.url, SHOP: shop, HOST: 'localhost', KEY: key ?? '', MERCHANT: merchant.id },
      env,
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
};

/** The same merchant, whose products are already at the service. */
export const withStore: OpenPlace = async (home) => {
  const place = await atShop(home);
  try {
    const { SERVICE = '', SHOP = '', MERCHANT = '' } = place.values;
    const store = await created(SERVICE, '/stores', { merchantId: MERCHANT, name: 'Kiln House', url: SHOP });
    const rows = [{ externalProductId: 'cup', name: 'Cup', url: `${SHOP}/products/cup` }];
    const { body } = await registry(SERVICE, 'PUT', `/stores/${store.id}/products`, rows);
    const [{ id } = { id: '' }] = (body as { results: { id: string }[] }).results;
    // issued when it is first asked for, at the latest
    const certificate = await fetch(`${SERVICE}/api/v1/mc4p/products/${id}/certificate`);
    if (!certificate.ok) throw new Error(`no certificate: ${await certificate.text()}`);
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
    const { SERVICE = '', STORE = '', PRODUCT = '', HOST = '' } = place.values;
    const certificate = await fetch(`${SERVICE}/api/v1/mc4p/products/${PRODUCT}/certificate`);
    const page = join(place.folder, 'dist/products/cup/index.html');
    const block = certificateScript(await certificate.json());
    writeFileSync(page, readFileSync(page, 'utf8').replace('</head>', `${block}</head>`));
    const { body } = await registry(SERVICE, 'GET', `/stores/${STORE}`);
    const [{ challenge } = { challenge: '' }] = (body as { domains: { challenge: string }[] }).domains;
    mkdirSync(join(place.folder, 'dist/.well-known'));
    writeFileSync(join(place.folder, 'dist/.well-known/touchstone-challenge'), challenge);
    const proven = await registry(SERVICE, 'POST', `/stores/${STORE}/domains/${HOST}/verify`);
    if (proven.status !== 200) throw new Error(`not proven: ${JSON.stringify(proven.body)}`);
    return place;
  } catch (error) {
    await place.close();
    throw error;
  }
};

async function created(url: string, path: string, body: object): Promise<{ id: string; key?: string }> {
  const { status, body: answer } = await registry(url, 'POST', path, body);
  if (status !== 201) throw new Error(`${path}: ${status} ${JSON.stringify(answer)}`);
  return answer as { id: string; key?: string };
}

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
