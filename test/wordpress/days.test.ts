import { performance } from 'node:perf_hooks';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Item } from '../kit/assortment.ts';
import { openScene, type Scene } from './scene.ts';
import { ISSUER, openShopDays, type ShopDays } from './shop-days.ts';
import { whyNoWordPress } from './site.ts';

const QUARTERS = 4;
const DAYS = Number(process.env.TOUCHSTONE_SHOP_DAYS ?? 6);
const IS_LONG = DAYS >= 30;
const PRODUCTS = Number(process.env.TOUCHSTONE_SHOP_PRODUCTS ?? (IS_LONG ? 200 : 5));

/** Quarters of a day, from the first to the last. */
interface Span {
  readonly from: number;
  readonly to: number;
}

/** The service is unavailable: for two days in the long form, for one in the short form. */
const OUTAGE: Span = IS_LONG ? { from: 46, to: 54 } : { from: 6, to: 10 };
/** A time without visitors, on which WP-Cron depends. */
const IDLE: Span = { from: 15, to: 18 };
/** By then every certificate has been renewed once. */
const REVOCATION = IS_LONG ? 81 : 19;
/** The time until every page has a certificate of another key: the plugin's next hourly run. */
const WINDOW: Span = { from: REVOCATION, to: REVOCATION + 1 };
/** Quarter of the day after which the service withdraws a certificate without the shop's doing. */
const WITHDRAWAL = 1;
/** Pages that the service checks in each quarter; the SDK checks all. */
const CHECKED_BY_SERVICE = 3;

const isIn = ({ from, to }: Span, quarter: number) => quarter >= from && quarter < to;

interface Found {
  readonly verdicts: Map<string, number>;
  /** Verdicts that no page may have, by quarter. */
  readonly bad: [number, string][];
  /** Visible products whose page is not verified, by quarter. */
  readonly without: [number, string][];
  checks: number;
  byService: number;
  pastCache: number;
}

/** The plugin itself, in the thirty days for which test/publishing uses a stand-in. */
describe.skipIf(whyNoWordPress() !== null)(`${DAYS} days of a WordPress shop`, () => {
  let scene: Scene;
  let shop: ShopDays;
  const found: Found = { verdicts: new Map(), bad: [], without: [], checks: 0, byService: 0, pastCache: 0 };
  beforeAll(async () => {
    scene = await openScene({
      pageCache: true,
      settings: {
        TOUCHSTONE_BASE_URL: ISSUER,
        TOUCHSTONE_PAGE_CACHE_SECONDS: '0',
        TOUCHSTONE_WEBHOOK_HTTP: String(IS_LONG),
        TOUCHSTONE_CERTIFICATES_AHEAD: String(IS_LONG),
      },
    });
    shop = openShopDays(scene, PRODUCTS);
  }, 600_000);
  afterAll(() => scene?.close());

  const isUp = (quarter: number) => !isIn(OUTAGE, quarter);

  const checkPage = async (item: Item, index: number, quarter: number) => {
    const verdict = await shop.verdictOf(item);
    const told = `${item.path} ${verdict}`;
    found.checks += 1;
    found.verdicts.set(verdict, (found.verdicts.get(verdict) ?? 0) + 1);
    if (verdict === 'certificate_expired' || verdict === 'checks_failed') found.bad.push([quarter, told]);
    if (item.isVisible && verdict !== 'verified') found.without.push([quarter, told]);
    // each page once a day: the cached page equals WordPress's present output, so it was purged whenever that changed
    if (index % QUARTERS === quarter % QUARTERS) {
      found.pastCache += 1;
      expect([told, await shop.printed(item, true)]).toEqual([told, await shop.printed(item, false)]);
    }
    const each = Math.ceil(shop.assortment.items().length / CHECKED_BY_SERVICE);
    if (!isUp(quarter) || !item.isVisible || (index + quarter) % each !== 0) return;
    found.byService += 1;
    expect([item.path, await shop.verdictByService(item)]).toEqual([item.path, verdict]);
  };

  /** Four pages at a time, like concurrent visitors. */
  const checkPages = async (quarter: number) => {
    const items = [...shop.assortment.items().entries()];
    const visitor = async () => {
      for (let next = items.shift(); next !== undefined; next = items.shift())
        await checkPage(next[1], next[0], quarter);
    };
    await Promise.all(Array.from({ length: 4 }, visitor));
  };

  const proofs = async () => {
    const printed = new Map<string, string | undefined>();
    for (const item of shop.assortment.items().filter(({ isVisible }) => isVisible))
      printed.set(item.externalId, await shop.printed(item, false));
    return printed;
  };

  let first = new Map<string, string | undefined>();
  /** Products that are visible when the key is revoked. */
  let visible = 0;
  /** Products that its owner has deleted. */
  const removed: Item[] = [];
  /** A page with a certificate that the service no longer publishes. */
  let withdrawn: { readonly item: Item; readonly id: string } | null = null;
  let withdrawals = 0;
  const withdraw = async (quarter: number) => {
    const shown = shop.assortment.items().filter(({ isVisible }) => isVisible);
    const item = shown[quarter % shown.length] as Item;
    const block = (await shop.printed(item, false)) ?? '';
    const id = /"productID":"([^"]+)"/.exec(block)?.[1] ?? '';
    await scene.service.operate('PATCH', `/api/v1/registry/products/${id}`, { visible: false });
    withdrawn = { item, id };
    withdrawals += 1;
  };
  /** The plugin's hourly run has taken it off the page, for visitors too, who get cached pages; then it comes back. */
  const expectGone = async () => {
    if (withdrawn === null) return;
    const { item, id } = withdrawn;
    withdrawn = null;
    expect([item.path, await shop.printed(item, false)]).toEqual([item.path, undefined]);
    await scene.service.operate('PATCH', `/api/v1/registry/products/${id}`, { visible: true });
    await scene.site.evaluate("do_action( 'touchstone_hourly' ); touchstone_run_jobs();");
  };
  const quarterOf = async (quarter: number) => {
    if (quarter === OUTAGE.from) await scene.stop();
    if (quarter === OUTAGE.to) await scene.start();
    if (quarter > 0 && quarter % QUARTERS === 0) {
      const before = shop.assortment.items();
      shop.assortment.work(quarter / QUARTERS);
      const after = new Set(shop.assortment.items().map(({ externalId }) => externalId));
      removed.push(...before.filter(({ externalId }) => !after.has(externalId)));
    }
    await shop.begin(quarter, !isIn(IDLE, quarter));
    await expectGone();
    if (quarter === 0) await scene.connect();
    if (quarter === 0) await scene.runJobs();
    // directly after the plugin's hourly run, so that the next one is furthest away
    if (quarter === REVOCATION) {
      for (const [externalId, proof] of await proofs())
        expect([externalId, proof ?? first.get(externalId)]).not.toEqual([externalId, first.get(externalId)]);
      await shop.revoke();
      visible = shop.assortment.items().filter(({ isVisible }) => isVisible).length;
    }
    if (isUp(quarter)) await shop.readKeys();
    // after webhooks, the plugin's next hourly run finds something to fetch
    if (IS_LONG && isUp(quarter)) await shop.serve();
    await checkPages(quarter);
    if (quarter === 0) first = await proofs();
    const isRunNext = isUp(quarter) && isUp(quarter + 1) && !isIn(IDLE, quarter) && !isIn(IDLE, quarter + 1);
    if (quarter % QUARTERS === WITHDRAWAL && isRunNext) await withdraw(quarter);
  };

  it('no page is expired or failed, over renewals, an outage and changes, except while a revoked key is replaced, and a withdrawn certificate is gone after the next hourly run', async () => {
    const begun = performance.now();
    for (let quarter = 0; quarter < DAYS * QUARTERS; quarter += 1) {
      await quarterOf(quarter);
      if (IS_LONG && quarter % QUARTERS === 3)
        process.stderr.write(
          `day ${(quarter + 1) / QUARTERS}, ${Math.round((performance.now() - begun) / 1_000)} s, ${found.bad.length} bad\n`,
        );
    }
    const counted = scene.site.counted();
    const purges = counted.filter((line) => line === 'purge').length;
    const notices = counted.filter((line) => line === 'notice 202').length;
    process.stdout.write(
      `${JSON.stringify({
        days: DAYS,
        products: PRODUCTS,
        verdicts: Object.fromEntries(found.verdicts),
        checks: found.checks,
        byService: found.byService,
        pastCache: found.pastCache,
        atRevocation: found.bad.length,
        removed: removed.length,
        withdrawals,
        purges,
        webhooks: notices,
        seconds: Math.round((performance.now() - begun) / 1_000),
      })}\n`,
    );

    expect(found.bad.filter(([quarter]) => !isIn(WINDOW, quarter))).toEqual([]);
    // new or moved products have no certificate while none can be issued or fetched
    const excused = [OUTAGE, IDLE, WINDOW];
    expect(found.without.filter(([quarter]) => !excused.some((span) => isIn(span, quarter)))).toEqual([]);
    // the revocation had an effect: every page had a certificate of that key
    expect(visible).toBeGreaterThan(0);
    expect(found.bad.filter(([quarter]) => quarter === REVOCATION)).toHaveLength(visible);
    // a product that was added and removed on the same day was never on a page
    expect(removed.length).toBeGreaterThanOrEqual(Math.floor(DAYS / 2));
    for (const item of removed) expect([item.path, await shop.verdictOf(item)]).toEqual([item.path, 'gone']);
    expect(purges).toBeGreaterThan(PRODUCTS * Math.floor(DAYS / 4.5));
    // without webhooks none may arrive; with them every one is accepted
    expect(counted.filter((line) => line.startsWith('notice'))).toHaveLength(notices);
    expect(notices > 0).toBe(IS_LONG);
    expect(withdrawals).toBeGreaterThanOrEqual(DAYS / 2);
    expect(scene.site.complaints()).toEqual([]);
  }, 5_400_000);
});
