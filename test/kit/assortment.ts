/** One product of a shop, as kept by its owner. */
export interface Item {
  readonly externalId: string;
  readonly path: string;
  readonly name: string;
  readonly price: number;
  readonly isVisible: boolean;
}

/** A shop's products, and the owner's daily changes. */
export interface Assortment {
  items(): readonly Item[];
  at(path: string): Item | undefined;
  /** One day's changes: two products are added, one is removed, one is hidden or shown, two change, one moves. */
  work(day: number): void;
  /** Saves a product that is still there, unchanged. */
  save(externalId: string): void;
  /** Added, changed and removed products since the last call. */
  takeChanges(): { readonly present: readonly Item[]; readonly gone: readonly string[] };
}

export function createAssortment(count: number): Assortment {
  const items = new Map<string, Item>();
  const changed = new Set<string>();
  let made = 0;
  const put = (item: Item) => {
    items.set(item.externalId, item);
    changed.add(item.externalId);
  };
  const add = () => {
    made += 1;
    const externalId = `cup-${made}`;
    put({ externalId, path: `/products/${externalId}`, name: `Cup ${made}`, price: 10, isVisible: true });
  };
  const nth = (n: number): Item => {
    const all = [...items.values()];
    return all[n % all.length] as Item;
  };
  for (let n = 0; n < count; n += 1) add();

  return {
    items: () => [...items.values()],
    at: (path) => [...items.values()].find((item) => item.path === path),
    work(day) {
      add();
      add();
      const gone = nth(day * 7);
      items.delete(gone.externalId);
      changed.add(gone.externalId);
      const turned = nth(day * 11 + 3);
      put({ ...turned, isVisible: !turned.isVisible });
      for (const item of [nth(day * 13 + 5), nth(day * 17 + 8)])
        put({ ...item, name: `${item.name}, ${day}`, price: item.price + 1 });
      const moved = nth(day * 19 + 10);
      put({ ...moved, path: `/products/${moved.externalId}-${day}` });
    },
    save(externalId) {
      const item = items.get(externalId);
      if (item !== undefined) put({ ...item });
    },
    takeChanges() {
      const taken = [...changed];
      changed.clear();
      const present = taken.flatMap((externalId) => items.get(externalId) ?? []);
      return { present, gone: taken.filter((externalId) => !items.has(externalId)) };
    },
  };
}
