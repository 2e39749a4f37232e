/**
 * Asks about pages of real shops that sell the same makers' goods, and counts what is told: `npm run bench:pages -- resellers <folder>
 * <host>[,<host>…] [pages [products]]`. The folder has the offers of each shop (resellers/offers.ts) and, below `pictures`, photographs,
 * which serve as pictures of the makers. First the first host alone has certified its products, then it says that its pictures are the
 * makers', then the second has certified its own, too, and so on. Exits with 1 if a page is accused, or told to have the pictures of
 * another product.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { mapConcurrently } from '../../packages/server/src/platform/map-concurrently.ts';
import { operate, UNLIMITED_FETCHES } from '../../test/kit/registry.ts';
import { openShop } from '../../test/kit/shop.ts';
import { OPERATOR_KEY, startService } from '../kit/server.ts';
import { serveOffer } from './resellers/network.ts';
import { catalogueOf, type Offer, readOffers, spread } from './resellers/offers.ts';
import { createPictures } from './resellers/pictures.ts';
import { ask, askAgain, askTool, certify } from './resellers/registry.ts';
import { type AskedPage, figuresOf, isStrange, printFigures } from './resellers/told.ts';

const [folder = '', certifying = '', pages = '5000', products = '150'] = process.argv.slice(2);
const AT_ONCE = 4;
/** Pages about which an agent asks, too: told ones, and others. */
const BY_AGENTS = { told: 100, others: 30 };

const offers = readOffers(folder);
const hosts = [...offers.keys()];
const merchants = certifying.split(',');
for (const host of merchants) if (!offers.has(host)) throw new Error(`No file ${host}.jsonl in "${folder}".`);
const picturesOf = createPictures(join(folder, 'pictures'), [...offers.values()].flat());

/** As many pages of each other shop as make so many together. */
function pagesToAsk(): readonly Offer[] {
  const others = hosts.filter((host) => !merchants.includes(host)).map((host) => offers.get(host) ?? []);
  for (let most = 1; ; most += 1) {
    const asked = others.flatMap((of) => spread(of, most));
    if (asked.length >= Number(pages) || others.every((of) => of.length <= most)) return asked;
  }
}

const shop = await openShop();
const data = mkdtempSync(join(tmpdir(), 'touchstone-resellers-'));
const running = await startService({
  folder: data,
  settings: {
    ...UNLIMITED_FETCHES,
    TOUCHSTONE_FETCH_CONNECT_TO: hosts.map((host) => `${host}=127.0.0.1:${shop.port}`).join(','),
    TOUCHSTONE_IMAGE_CONCURRENT: '4',
    TOUCHSTONE_IMAGE_PER_HOST: '4',
    TOUCHSTONE_IMAGE_SPACING_MS: '0',
    TOUCHSTONE_PAGE_CACHE_SECONDS: '3600',
    TOUCHSTONE_WITHOUT: 'console,pages',
  },
});
const service = { url: running.url, operatorKey: OPERATOR_KEY };
try {
  for (const offer of [...offers.values()].flat())
    serveOffer(shop, offer, picturesOf(offer.host), hosts.indexOf(offer.host));
  const toAsk = pagesToAsk();
  const shops = [...new Set(toAsk.map(({ host }) => host))];
  const own = shops.filter((host) => picturesOf(host).areOwn);
  console.log(
    `${toAsk.length} pages of ${shops.length} shops, of which ${own.length} photograph their goods themselves`,
  );
  let asked: readonly AskedPage[] = [];
  for (let from = 0; from < toAsk.length; from += 500) {
    const some = await mapConcurrently(
      toAsk.slice(from, from + 500),
      () => AT_ONCE,
      async (offer) => ({ offer, areOwn: own.includes(offer.host), ...(await ask(service, offer.url)) }),
    );
    asked = [...asked, ...some];
    console.log(`${asked.length} asked, ${new Date().toISOString()}`);
  }
  printFigures('nobody has certified', figuresOf(asked, new Set()));

  const sold = new Set<string>();
  let missed = 0;
  const measure = async (title: string) => {
    asked = await mapConcurrently(
      asked,
      () => AT_ONCE,
      async (page) => ({ ...page, pictures: await askAgain(service, page.report) }),
    );
    const [told, others] = [true, false].map((is) =>
      asked.filter(({ pictures }) => pictures.matches.length > 0 === is),
    ) as [AskedPage[], AskedPage[]];
    const byAgents = [...spread(told, BY_AGENTS.told), ...spread(others, BY_AGENTS.others)];
    const said = new Map<AskedPage, string>();
    for (const page of byAgents) said.set(page, await askTool(service, page.offer.url));
    const withSaid = asked.map((page) => ({ ...page, said: said.get(page) }));
    const figures = figuresOf(withSaid, sold);
    printFigures(title, figures);
    const strange = withSaid.filter((each) => isStrange(each, sold));
    for (const page of [
      ...strange.slice(0, 5),
      ...withSaid.filter((each) => told.length > 0 && each.said?.includes('certified for')).slice(0, 2),
    ])
      console.log(
        `\n${page.offer.url}: ${page.offer.product}\n${page.said ?? ''}\n${page.pictures.matches.map(({ statement }) => statement).join('\n')}`,
      );
    missed += strange.length;
  };
  for (const [nth, host] of merchants.entries()) {
    const catalogue = catalogueOf(offers, host).slice(0, Number(products));
    const { change, areOwn } = picturesOf(host);
    console.log(`\n${host}: ${catalogue.length} products, pictures ${areOwn ? 'of its own' : change}`);
    const store = await certify(service, shop, catalogue, picturesOf(host));
    for (const { product } of catalogue) sold.add(product);
    // a name resembles another whatever its page shows
    const named = await Promise.all(
      shops.map((other) => ask(service, `${offers.get(other)?.[0]?.url}?after=${nth}`)),
    );
    const resembling = named.filter(({ report }) => (report.related ?? []).length > 0);
    console.log(`${resembling.length} of ${shops.length} names resemble one that is proven`);
    missed += resembling.length;
    await measure(nth === 0 ? 'one has certified' : `${nth + 1} have certified`);
    if (nth > 0) continue;
    const { domains } = await operate<{ domains: { hosts: unknown[] }[] }>(
      service,
      'GET',
      `/stores/${store}/copies?limit=100`,
    );
    console.log(`  ${domains.flatMap((domain) => domain.hosts).length} hosts are listed for the merchant`);
    const settings = { told: true, makersPictures: true, makersImages: [], allowedHosts: [] };
    await operate(service, 'PUT', `/stores/${store}/picture-settings`, settings);
    await measure('one has certified, as pictures of the makers');
    await operate(service, 'PUT', `/stores/${store}/picture-settings`, {
      ...settings,
      makersPictures: false,
    });
  }
  console.log(`\n${missed} missed`);
  process.exitCode = missed > 0 ? 1 : 0;
} finally {
  await running.close();
  await shop.close();
  rmSync(data, { recursive: true, force: true });
}
