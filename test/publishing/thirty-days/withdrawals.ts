import type { Shop } from './publishers.ts';
import { HOUR, type Json, type World } from './world.ts';

const MINUTE = 60_000;
/**
 * Minutes after withdrawals when pages are visited, `isRare`: also those with few visitors. Shops whose work is due at that minute then
 * do it.
 */
const VISITS = [
  { at: 1, isRare: false },
  { at: 4, isRare: false },
  { at: 9, isRare: false },
  { at: 14, isRare: true },
  { at: 16, isRare: true },
  { at: 60, isRare: true },
  { at: 61, isRare: true },
] as const;

/** Hidden, deleted, and withdrawn by hand; each with a place in the catalogue. */
const METHODS = [
  ['PATCH', 0, '', { visible: false }],
  ['DELETE', 11, '', undefined],
  ['POST', 17, '/withdraw', {}],
] as const;

/** A certificate that the service no longer publishes. */
interface Withdrawn {
  readonly shop: Shop;
  readonly externalId: string;
  readonly path: string;
  readonly jwt: string;
  /** On the clock of the time during which the service was reachable, in milliseconds. */
  readonly at: number;
  readonly isRare: boolean;
  isOnPage: boolean;
}

interface OpenShop {
  readonly shop: Shop;
  readonly storeId: string;
}

/** Withdrawals at the service, which the shops do not know of, and how long their pages keep the certificates. */
export interface Withdrawals {
  /** By name of the shop: the minutes after which a page was last seen with a withdrawn certificate. */
  readonly longest: ReadonlyMap<string, number>;
  readonly count: () => number;
  /** Pages that had one for longer than their publisher's interval. */
  readonly late: readonly string[];
  /** Moves the clock. */
  pass(milliseconds: number): void;
  /** Visits the pages with certificates that were withdrawn and not seen to be gone. */
  visit(): Promise<void>;
  /** Hides one product of each shop, deletes another, and withdraws a third by hand; then an hour passes. Every page was visited just before. */
  withdraw(stores: readonly OpenShop[], step: number): Promise<void>;
  /** The owners save the products of the last withdrawals, so that they have certificates again. */
  restore(): Promise<void>;
}

export function createWithdrawals(world: World): Withdrawals {
  let reachable = 0;
  let open: Withdrawn[] = [];
  let count = 0;
  const longest = new Map<string, number>();
  const late: string[] = [];
  let last: Withdrawn[] = [];
  /** Products that no shop shows again by itself. */
  let keptHidden: string[] = [];

  const pass = (milliseconds: number) => {
    if (world.isUp()) reachable += milliseconds;
    world.travel(milliseconds);
  };
  const visitAll = async (seen: readonly Withdrawn[]) => {
    for (const one of seen) {
      const { name, interval } = one.shop;
      one.isOnPage = (await one.shop.page(one.path))?.includes(one.jwt) === true;
      if (!one.isOnPage) continue;
      const minutes = (reachable - one.at) / MINUTE;
      longest.set(name, Math.max(longest.get(name) ?? 0, minutes));
      if (minutes > interval) late.push(`${name} ${one.path} after ${minutes} minutes`);
    }
    open = open.filter(({ isOnPage }) => isOnPage);
  };
  /** @returns `null`: its page has no certificate */
  const take = async (
    shop: Shop,
    nth: number,
  ): Promise<(Omit<Withdrawn, 'isRare'> & { id: string }) | null> => {
    const visible = shop.catalogue.items().filter(({ isVisible }) => isVisible);
    const item = visible[nth % visible.length];
    const html = item === undefined ? null : await shop.page(item.path);
    const block = /<script type="application\/ld\+json" data-touchstone[^>]*>(.*?)<\/script>/s.exec(
      html ?? '',
    )?.[1];
    if (item === undefined || block === undefined) return null;
    const { productID, proof } = JSON.parse(block) as Json & { productID: string; proof: { jwt: string } };
    const { externalId, path } = item;
    return { shop, externalId, path, id: productID, jwt: proof.jwt, at: reachable, isOnPage: true };
  };

  return {
    longest,
    late,
    count: () => count,
    pass,
    visit: () => visitAll(open),
    async withdraw(stores, step) {
      last = [];
      for (const [place, { shop }] of stores.entries()) {
        for (const [method, nth, action, body] of METHODS) {
          const taken = await take(shop, step * 23 + place * 31 + nth);
          if (taken === null) continue;
          await world.operate(method, `/products/${taken.id}${action}`, body);
          if (method === 'POST') keptHidden.push(taken.id);
          last.push({ ...taken, isRare: shop.name === 'edge' && method === 'DELETE' });
        }
      }
      count += last.length;
      open.push(...last);
      let minute = 0;
      for (const { at, isRare } of VISITS) {
        pass((at - minute) * MINUTE);
        minute = at;
        await visitAll(open.filter((one) => isRare || !one.isRare));
        for (const { shop, storeId } of stores) if (shop.interval === at) await shop.run(storeId);
      }
      pass(6 * HOUR - minute * MINUTE);
    },
    async restore() {
      for (const id of keptHidden) await world.operate('PATCH', `/products/${id}`, { visible: true });
      keptHidden = [];
      for (const { shop, externalId } of last) shop.catalogue.save(externalId);
      last = [];
    },
  };
}
