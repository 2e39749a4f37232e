/**
 * What is told of real shops that sell the same makers' goods: `npm run bench:pages -- resellers <folder> <host>[,<host>…] [pages
 * [products]]`. The folder has the offers of each shop (resellers/offers.ts), and photographs below `pictures`, which serve as pictures of
 * the makers. The named hosts certify their products, in a real registry; asked about are pages of all others: while the first alone has
 * certified, once it says that its pictures are the makers', and when the others have certified theirs, too. Exits with 1 if a page is
 * accused, has a name like that of a merchant, or is told to have pictures that are not those of its product.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createTrust } from '@touchstone/certificate';
import { createTestIssuer, TEST_ISSUER } from '@touchstone/certificate/testing';
import { startEmbeddedPostgres } from '@touchstone/embedded-postgres';
import { SCHEMAS } from '../../packages/server/src/parts.ts';
import { openDatabase } from '../../packages/server/src/platform/database/database.ts';
import { migrate } from '../../packages/server/src/platform/database/migrate.ts';
import { testSecrets } from '../../packages/server/src/platform/secrets/testing.ts';
import { addCertifiedShop } from '../images/certified-shop.ts';
import { type LookedUp, lookUp, tell } from './resellers/ask.ts';
import { figuresOf, isFalse, printFigures } from './resellers/figures.ts';
import { catalogueOf, type Offer, readOffers, spread } from './resellers/offers.ts';
import { createPictures } from './resellers/pictures.ts';

const [folder = '', named = '', pages = '5000', products = '300'] = process.argv.slice(2);
/** Pages between two lines about the progress. */
const STEP = 250;
/** Pages of which what is told is printed, too. */
const SHOWN = 3;

const offers = readOffers(folder);
const hosts = [...offers.keys()];
const certifying = named.split(',');
for (const host of certifying)
  if (!offers.has(host)) throw new Error(`No file ${host}.jsonl in "${folder}".`);
const picturesOf = createPictures(folder, [...offers.values()].flat());

/** As many pages of each other shop as make so many together, in turn. */
function pagesToAsk(): readonly Offer[] {
  const others = hosts.filter((host) => !certifying.includes(host)).map((host) => offers.get(host) ?? []);
  for (let most = 1; ; most += 1) {
    const asked = others.map((of) => spread(of, most));
    if (asked.flat().length >= Number(pages) || others.every((of) => of.length <= most))
      return Array.from({ length: most }, (_, nth) => asked.flatMap((of) => of.slice(nth, nth + 1))).flat();
  }
}

/** Ctrl-C: what was asked until then is counted. */
let isStopped = false;
process.once('SIGINT', () => {
  isStopped = true;
});

const trusted = testSecrets().rows;
const { jwks } = await createTestIssuer();
const trust = createTrust({ trustedIssuers: [TEST_ISSUER], jwks });
const data = mkdtempSync(join(tmpdir(), 'touchstone-resellers-'));
const server = await startEmbeddedPostgres({ folder: data, name: 'touchstone' });
const { db, close } = openDatabase({ connection: server.connection, max: 2 });
try {
  await migrate(server.connection, SCHEMAS);
  /** Host by merchant. */
  const merchants = new Map<string, string>();
  const sellers = new Map<string, Set<string>>();
  for (const host of certifying) {
    const shop = picturesOf(host);
    const catalogue = catalogueOf(offers, host).slice(0, Number(products));
    const certified = [];
    for (const offer of catalogue)
      certified.push({ ...offer, pictures: [...(await shop.hashesOf(offer)).values()] });
    merchants.set(await addCertifiedShop(db, trusted, host, certified), host);
    for (const { product } of catalogue) sellers.set(product, (sellers.get(product) ?? new Set()).add(host));
    const shown = shop.areOwn ? 'its own' : shop.change;
    console.log(`${host} has certified ${catalogue.length} products, pictures: ${shown}`);
  }

  const looked: LookedUp[] = [];
  for (const offer of pagesToAsk()) {
    if (isStopped) break;
    const shop = picturesOf(offer.host);
    const how = { areOwn: shop.areOwn, template: hosts.indexOf(offer.host), trust, options: { db, trusted } };
    looked.push(await lookUp(offer, await shop.hashesOf(offer), how));
    if (looked.length % STEP === 0) console.log(`${looked.length} pages, ${new Date().toISOString()}`);
  }
  const shops = [...new Set(looked.map(({ offer }) => offer.host))];
  const own = shops.filter((host) => picturesOf(host).areOwn).length;
  console.log(
    `${looked.length} pages of ${shops.length} shops, ${own} of which photograph their goods themselves`,
  );

  let missed = 0;
  const measure = (title: string, count: number, areMakers = false) => {
    const some = new Map([...merchants].slice(0, count));
    const of = new Map(
      [...sellers].flatMap(([product, all]) => {
        const these = new Set([...some.values()].filter((host) => all.has(host)));
        return these.size === 0 ? [] : [[product, these] as const];
      }),
    );
    const told = looked.map((page) => tell(page, some, { areMakers }));
    printFigures(title, figuresOf(told, of));
    const wrong = told.filter((one) => isFalse(one, of));
    for (const { page, matches, advice } of [
      ...wrong.slice(0, 10),
      ...told.filter(({ matches }) => matches.length > 0).slice(0, SHOWN),
    ])
      console.log(`\n${page.offer.url}\n${matches.map(({ statement }) => statement).join('\n')}\n${advice}`);
    missed += wrong.length;
  };
  measure('one has certified', 1);
  measure('one has certified, and marked its pictures as those of the makers', 1, true);
  for (let count = 2; count <= merchants.size; count += 1) measure(`${count} have certified`, count);
  console.log(`\n${missed} false`);
  process.exitCode = missed > 0 ? 1 : 0;
} finally {
  await close();
  await server.close();
  rmSync(data, { recursive: true, force: true });
}
