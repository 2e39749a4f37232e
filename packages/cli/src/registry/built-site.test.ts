import { mkdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { useFolder } from '../../../../test/kit/folder.ts';
import { type TestService, testService } from '../../../server/src/testing.ts';
import { type LoopbackServer, loopbackServer, runCli } from '../testing.ts';

const HOME = 'http://shop.example';
const PAGES = ['cup', 'pot'];

let service: TestService;
let shop: LoopbackServer;
const folder = useFolder('built-site');
/** Serves the site as currently built. */
let publish: () => Promise<void>;
let show: (path: string, text: string) => void;
beforeAll(async () => {
  for (const name of PAGES) {
    await mkdir(join(folder, 'dist', name), { recursive: true });
    const page = `<!doctype html><html><head><title>${name}</title></head><body><h1>${name}</h1></body></html>`;
    await writeFile(join(folder, 'dist', name, 'index.html'), page);
  }
  const served = new Map<string, string>();
  shop = await loopbackServer(({ path }) => {
    const body = served.get(path);
    return body === undefined ? { status: 404, body: '' } : { body };
  });
  publish = async () => {
    for (const name of PAGES)
      served.set(`/${name}/`, await readFile(join(folder, 'dist', name, 'index.html'), 'utf8'));
  };
  show = (path, text) => void served.set(path, text);
  service = await testService({
    settings: {
      TOUCHSTONE_FETCH_CONNECT_TO: `shop.example=127.0.0.1:${shop.port}`,
      TOUCHSTONE_PAGE_CACHE_SECONDS: '0',
    },
  });
});
afterAll(async () => {
  await service.dispose();
  await shop.close();
});

/** Runs a command that succeeds, and returns its JSON output. */
async function touchstone(...argv: string[]): Promise<Record<string, unknown>> {
  const env = { TOUCHSTONE_KEY: service.operatorKey ?? '', TOUCHSTONE_SERVICE: service.url };
  const ran = await runCli([...argv, '--json'], { env });
  expect([argv.join(' '), ran.code, ran.err]).toEqual([argv.join(' '), 0, expect.any(String)]);
  return ran.json();
}

it('goes from nothing to verified pages with the commands of docs/merchants.md', async () => {
  const { id: merchantId } = await touchstone('merchants', 'create', '--name', 'Potter', '--capacity', '10');
  const store = await touchstone('stores', 'create', '--url', HOME, '--merchant-id', String(merchantId));
  const storeId = String(store.id);
  const [{ challenge }] = store.domains as [{ challenge: string }];
  show('/.well-known/touchstone-challenge', challenge);
  await touchstone('domains', 'verify', storeId, 'shop.example');
  const items = PAGES.map(
    (name) =>
      `<item><g:id>${name}</g:id><g:title>${name}</g:title><g:link>${HOME}/${name}/</g:link><g:price>9 EUR</g:price></item>`,
  );
  const feed = `<rss version="2.0" xmlns:g="http://base.google.com/ns/1.0"><channel>${items.join('')}</channel></rss>`;
  await writeFile(join(folder, 'feed.xml'), feed);
  await touchstone('import', join(folder, 'feed.xml'), '--store', storeId);
  const [out, dist] = [join(folder, 'certificates'), join(folder, 'dist')];
  await touchstone('certificates', 'pull', storeId, '--out', out);
  await touchstone('embed', dist, '--certificates', out, '--base-url', HOME);
  await publish();
  for (const name of PAGES) {
    expect(await touchstone('check', `${HOME}/${name}/`)).toMatchObject({ verdict: 'verified' });
    expect(await touchstone('certificates', 'find', `${HOME}/${name}/`)).toMatchObject({
      url: `${HOME}/${name}/`,
    });
  }
  expect(await touchstone('status', storeId)).toMatchObject({
    products: { states: { active: 2 } },
    toDo: [],
  });
});
