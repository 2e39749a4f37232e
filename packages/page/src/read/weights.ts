/**
 * Every weight of page reading. docs/page-weights.md is made of this file and sorts it: what beats what.
 *
 * A page says one thing in many places, and they disagree. Each place gives *fact candidates*: a value with the weight
 * of its place. Equal values add up (`CHOICE.agreement`), and the heaviest is the fact. 1 is what the shop states in
 * JSON-LD for machines; above 1, what the page shows overrules what it states.
 *
 * Four kinds of numbers: weights of places; shares, by which a place's weight is multiplied (`…_SHARE`); additions, that
 * are added to it (`added`); and, of another scale, scores and thresholds (`SCORE`, `CHOICE`). Each says what it is for.
 *
 * The numbers were fitted on one half of a set of real shop pages and checked on the other (`npm run bench:facts`).
 */

/** A product record of structured data, by its syntax. */
export const RECORD = {
  /** Made for machines alone, and by the shop's software: the measure of all others. */
  jsonLd: 1,
  /** Made for machines, but within what people see: a theme may mark the wrong element. */
  microdata: 0.9,
  /** As microdata; fewer shops use it, and fewer look whether it is right. */
  rdfa: 0.85,
  /** `itemprop` outside of any `itemscope`. */
  loose: 0.7,
} as const;

/** A record's statement, as a share of the record's own weight; 1 unless it is one of these. */
export const RECORD_SHARE = {
  /** The article number of an offer, where the product has none. */
  offerSku: 0.9,
  /** The low end of a range says less than a single price that the page states elsewhere. */
  lowPrice: 0.7,
  /** A price of nothing: many shops write it where they have none, so that any other price of the page wins. */
  zero: 0.44,
  /** A price that is said to be before tax: the page may print what is paid. */
  net: 0.44,
  /** The currency by a mark beside the price, where none is stated. */
  currencyMark: 0.6,
  /** Prices of other offers: never chosen alone, but the page may show one of them as the current one. */
  otherOffer: 0.1,
} as const;

/** Meta elements: of the whole page, so that they know one price and no variants. */
export const META = {
  /** Names of product feeds: `product:price:amount`. */
  product: 0.75,
  /** Social previews. */
  preview: 0.55,
  /** Name and description of any page: `og:title`. */
  text: 0.5,
} as const;

/**
 * The variant that a Shopify page shows, by what identifies it: its own data names one price, where structured data and
 * previews often state the lowest of all variants.
 */
export const OPENED_VARIANT = {
  /** The page's address names it: whoever shared the address meant it. */
  address: 1.3,
  /** The form that puts it into the cart has it selected. */
  selection: 1.25,
  /** The page's analytics call names it. */
  analytics: 1.2,
} as const;

/** Data for the shop's own scripts: a little below markup that is made for readers. */
export const EMBEDDED = 0.65;
/** `data-price`, `data-sku`, `data-brand` near the heading. */
export const DATA_ATTRIBUTE = 0.4;
/** A currency by a mark that several currencies share. */
export const GUESSED_CURRENCY = 0.3;

/** The name as the page prints it. */
export const SHOWN_NAME = {
  /** The heading that agrees with what else names the page. */
  heading: 0.56,
  /** The first main heading, where it may name the shop. */
  firstH1: 0.3,
  /** The title, which most shops end with their own name. */
  title: 0.2,
} as const;

/** The price as the page prints it. */
export const SHOWN_PRICE = {
  /** Scored `SCORE.price.sure` or better. */
  sure: 0.5,
  /** Scored less, or of embedded data that the print contradicts. */
  weak: 0.45,
  /** The page strikes out the price that its data states, or shows another offer's. */
  overStated: 1.5,
} as const;

/** What the page prints of its stock, and what can be done with it. */
export const SHOWN_AVAILABILITY = {
  /** Words for it: "in stock", "sold out". */
  phrase: 0.45,
  /** It says that it cannot be bought, and the button that would is disabled: data is often older than the page. */
  overStated: 1.2,
  /** It can be put into a cart. */
  buyControl: 0.4,
  /** The seller can be asked. */
  contactControl: 0.3,
  added: {
    /** The markup is named for the stock. */
    named: 0.15,
    /** A label stands before the phrase. */
    labelled: 0.1,
    /** For each run of text between heading and phrase. */
    perRun: -1 / 1_000,
  },
} as const;

/** The article number as the page prints it. */
export const SHOWN_SKU = {
  /** By its label: SKU itself; words for an article's number; words for a model. */
  labels: [0.55, 0.5, 0.25],
  /** A labelled number where the stated one is printed nowhere: data often states an internal one. */
  overStated: 1.2,
  /** Text of an element that is named for the number. */
  named: 0.42,
  added: {
    /** A colon stands behind the label. */
    colon: 0.03,
    /** A number of several words is a model's name more often than an article number. */
    severalWords: -0.2,
    /** For each run of text between heading and label. */
    perRun: -1 / 5_000,
  },
} as const;

/** A stated article number, as a share of its own weight. */
export const STATED_SKU_SHARE = {
  /** A number of the trade, where the page's address carries the shop's own. */
  gtin: 0.4,
  /** Several words: a model's name more often than an article number. */
  severalWords: 0.6,
} as const;

/** An identifier in the page's address counts where the page itself uses it as one. */
export const ADDRESS_ID = {
  /** In an attribute named for the product. */
  attribute: 0.42,
  /** Behind a key in a script. */
  key: 0.4,
  /** In the addresses of its pictures. */
  imagePath: 0.32,
  /** In the class of the body. */
  bodyClass: 0.32,
} as const;

/** The brand as the page shows it. */
export const SHOWN_BRAND = {
  /** Behind a word for it. */
  label: 0.5,
  /** `Visit the … store`, which may be a seller's. */
  byline: 0.46,
  /** Text of an element that is named for the brand. */
  named: 0.45,
  /** Text of a link to a page about a brand. */
  link: 0.45,
  /** Alternative text of a logo. */
  logo: 0.42,
  /** A labelled brand where the stated one is printed nowhere: data often states the shop or a placeholder. */
  overStated: 1.2,
  added: {
    /** For each run of text between heading and label. */
    perRun: -1 / 5_000,
  },
} as const;

/** How candidates are chosen between. */
export const CHOICE = {
  /** Share of its weight that each further place adds which says the same. */
  agreement: 0.3,
  /** Below this a place is only good for want of a better one, and its dissent is not worth a finding. */
  finding: 0.5,
  /** Below this a dissent takes nothing from the confidence in the heaviest value. */
  doubt: 0.2,
  /** From this score on a value is as strong as any. */
  fullStrength: 0.9,
  /** From this on a place shows that a number a hundred times as high counts cents. */
  againstCents: 0.45,
  /** Stated prices below this are those of other offers. */
  statedPrice: 0.3,
  /** From this on the page has said which of its offers it shows. */
  openedOffer: 1.15,
  /** From this on a label surely names an article number. */
  sureSkuLabel: 0.45,
  /** From this on a label surely names a brand. */
  sureBrandLabel: 0.45,
  /** Below this a phrase for "sold out" yields to a control that buys. */
  sureSoldOut: 0.5,
  /** From this on the currency is known without the shop's settings. */
  sureCurrency: 0.5,
} as const;

/**
 * Scores decide which one of several things of a kind is meant; they add up, and are no weights of candidates.
 */
export const SCORE = {
  /** Which of the product records the page is about. */
  record: {
    /** Its name is the page's. */
    named: 3,
    /** Its address is the page's, or another page's. */
    ownAddress: 3,
    otherAddress: -3,
    /** The page says that it is about it. */
    mainEntity: 2,
    /** For what it states. */
    price: 0.75,
    availability: 0.25,
    skuOrBrand: 0.25,
    /** It is an offer without a product. */
    onlyOffer: -0.5,
    /** Under a property that speaks of other products, or in a list. */
    related: -5,
    /** At or below this it is another product's. */
    rejected: -2,
    /** From this on the page itself has pointed at the record. */
    certain: 2.5,
    /** Records this close to the best are its rivals. */
    rival: 0.5,
    /** From so many records on that nothing distinguishes, they are a list. */
    listed: 3,
    /** Share of words above which two names are one product's. */
    sameName: 0.75,
  },
  /** Which heading names the product: share of words that agree with the page's names, and this. */
  heading: {
    /** It is the main kind of heading. */
    h1: 0.35,
    /** For each word, so many at most: a word alone may name a category. */
    perWord: 0.05,
    mostWords: 4,
    /** Some name of the page begins with it. */
    beginning: 0.5,
    /** In navigation, a link, other products, or hidden. */
    suspect: -0.5,
    /** Share of words from which on a heading counts that is shown only where scripts do not run. */
    fallback: 0.8,
    /** It is the shop's name. */
    shopName: -0.8,
    /** Below this none names the product. */
    least: 0.4,
    /** A later one must be better by this. */
    margin: 0.001,
  },
  /** Which amount near the heading is the price. */
  price: {
    /** Each amount begins with it. */
    base: 2,
    /** Just behind the heading, just before it, and for each doubling of the distance from there (8 runs, 24, 56 …). */
    behindHeading: 1.5,
    beforeHeading: 0.2,
    perDoubling: -0.7,
    /** A currency stands beside it. */
    currency: 1,
    /** The markup around it is named for a price. */
    named: 1,
    /** … for what is paid now. */
    current: 0.4,
    /** … for buying. */
    buy: 0.3,
    /** The word for price stands before it. */
    labelled: 0.6,
    /** For each other place that shows the same amount, three at most. */
    repeated: 0.4,
    mostRepeated: 3,
    /** It is named as a price before tax. */
    beforeTax: -0.7,
    /** A former price. */
    old: -1.2,
    /** Delivery, a saving, a rate. */
    other: -2.2,
    /** Words for another amount on it, and beside it. */
    otherWords: -1,
    otherWordsBeside: -0.6,
    /** A card may also be the product's own, with a link to its brand in it. */
    card: { none: 0, single: -2, 'one of several': -4 },
    /** Among other products, in navigation or cart, in a link to another page, in a review. */
    related: -3,
    frame: -3,
    linkAway: -1.8,
    talk: -1.5,
    /** A sign or bracket before it. */
    sign: -0.8,
    /** In a text of more than 25 characters, and in a sentence. */
    longText: -0.5,
    prose: -1.5,
    /** Below this an amount is not taken for the price. */
    least: 2.4,
    /** From this on it is as good as pointed at. */
    sure: 4,
    /** The same where nothing states a price and the product is sold out: it often shows only others' prices. */
    sureWhenSoldOut: 3.6,
    /** An unnamed amount must be better than every other by this. */
    clearlyBetter: 0.8,
  },
  /** Which object of the page's embedded data is its product. */
  embedded: {
    /** Share of words of its name that agree with the page's. */
    leastAgreement: 0.8,
    agreement: 0.6,
    /** Under a key such as `product` or `pdp`. */
    detail: 0.15,
    /** For each of price, article number, brand and availability. */
    part: 0.05,
  },
  /** Which platform serves the page: one strong signal decides, or two weak ones. */
  platform: { strong: 2, weak: 1 },
} as const;
