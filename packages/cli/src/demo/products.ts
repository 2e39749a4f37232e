/** One product of the demo shop. */
export interface DemoProduct {
  readonly handle: string;
  readonly name: string;
  readonly price: string;
  readonly availability: 'InStock' | 'OutOfStock';
  readonly pictures: number;
  /** The shop's description. */
  readonly text: string;
  readonly visible?: boolean;
}

/** In the order in which they take the seats of the merchant's plan, which has ten: the first visible ones get them. */
export const PRODUCTS: readonly DemoProduct[] = [
  {
    handle: 'cup',
    name: 'Stoneware cup',
    price: '18.00',
    availability: 'InStock',
    text: 'A cup for two hands, thrown in speckled clay and dipped in cream. Holds a quarter of a litre and keeps it warm.',
    pictures: 2,
  },
  {
    handle: 'bowl',
    name: 'Serving bowl',
    price: '42.50',
    availability: 'InStock',
    text: 'Wide enough for a salad for four, deep enough for soup for two. The green glaze pools darker inside.',
    pictures: 3,
  },
  {
    handle: 'plate',
    name: 'Dinner plate',
    price: '24.00',
    availability: 'OutOfStock',
    text: 'Flat, calm and a little heavy, so that it stays where it is put. The next kiln opens in three weeks.',
    pictures: 1,
  },
  {
    handle: 'vase',
    name: 'Tall vase',
    price: '65.00',
    availability: 'InStock',
    text: 'For one branch or a whole armful. Red above, bare clay below, and watertight all the way down.',
    pictures: 2,
  },
  {
    handle: 'jug',
    name: 'Water jug',
    price: '38.00',
    availability: 'InStock',
    text: 'Pours without a drip; we tried a hundred spouts. A litre and a half, with room for ice.',
    pictures: 2,
  },
  {
    handle: 'tray',
    name: 'Oak tray',
    price: '29.90',
    availability: 'InStock',
    text: 'Turned from one board of oak and oiled by hand, with an edge that fingers find in the dark.',
    pictures: 1,
  },
  {
    handle: 'lamp',
    name: 'Table lamp',
    price: '120.00',
    availability: 'InStock',
    text: 'A stoneware foot under a paper shade. Warm light at the height where people read.',
    pictures: 2,
  },
  {
    handle: 'candle',
    name: 'Beeswax candle',
    price: '9.50',
    availability: 'InStock',
    text: 'Beeswax from hives two valleys over. Burns for thirty hours and smells of summer.',
    pictures: 1,
  },
  {
    handle: 'clock',
    name: 'Wall clock',
    price: '79.00',
    availability: 'InStock',
    text: 'An oak rim, a plain face, and hands that do not tick.',
    pictures: 1,
  },
  {
    handle: 'teapot',
    name: 'Iron teapot',
    price: '88.00',
    availability: 'InStock',
    text: 'Cast iron, for leaves that take their time. Six cups, and a lid that stays on.',
    pictures: 2,
  },
  {
    handle: 'spoon',
    name: 'Olive wood spoon',
    price: '12.00',
    availability: 'InStock',
    text: 'Olive wood, cut along the grain. It will outlast the pan.',
    pictures: 1,
    visible: false,
  },
  {
    handle: 'caddy',
    name: 'Tea caddy',
    price: '21.00',
    availability: 'InStock',
    text: 'Keeps a hundred grams of tea from light and air. The oak lid closes with a sigh.',
    pictures: 1,
  },
  {
    handle: 'ladle',
    name: 'Soup ladle',
    price: '16.00',
    availability: 'InStock',
    text: 'One piece of brushed steel, and a bowl that reaches the last of the soup.',
    pictures: 1,
  },
];

/** How many products of the demo merchant may be active at once. */
export const PLAN_CAPACITY = 10;
