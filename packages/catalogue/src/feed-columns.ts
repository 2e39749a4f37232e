/**
 * Columns of a delimited feed by the attribute that they state, in order of preference: the names of Google's product data
 * specification, then those that shops and spreadsheets use for the same.
 */
const COLUMNS = {
  id: ['id', 'product_id', 'item_id', 'external_id', 'externalproductid'],
  sku: ['sku', 'product_sku', 'article_number', 'item_number'],
  title: ['title', 'name', 'product_name', 'product_title'],
  link: ['link', 'url', 'product_url', 'product_link', 'permalink', 'page_url'],
  image_link: ['image_link', 'image', 'images', 'image_url', 'image_urls', 'image_src', 'main_image'],
  additional_image_link: [
    'additional_image_link',
    'additional_image_links',
    'additional_images',
    'additional_image_urls',
  ],
  brand: ['brand', 'vendor', 'manufacturer'],
  gtin: ['gtin', 'barcode', 'gtin13', 'gtin14'],
  ean: ['ean', 'ean13'],
  upc: ['upc'],
  isbn: ['isbn'],
  mpn: ['mpn'],
  product_type: ['product_type', 'category'],
  price: ['price'],
  sale_price: ['sale_price'],
  availability: ['availability', 'stock_status'],
} as const;

/** What every product needs; the SKU serves as identifier if there is no other. */
const NEEDED = [['id', 'sku'], ['title'], ['link']] as const;
const OPTIONAL = [
  'image_link',
  'additional_image_link',
  'brand',
  'gtin',
  'mpn',
  'price',
  'availability',
] as const;

/**
 * The attribute that each column of a header states: of several columns for one attribute the preferred one counts.
 *
 * @param columns - normalised (`columnsOf`)
 * @returns the column's own name where it states none
 */
export function attributesOfColumns(columns: readonly string[]): string[] {
  const names = columns.map((name) => name.replace(/^g:/, ''));
  const attributes = [...names];
  for (const [attribute, spellings] of Object.entries(COLUMNS)) {
    const spelling = spellings.find((name) => names.includes(name));
    if (spelling === undefined || spelling === attribute) continue;
    for (const [at, name] of names.entries()) if (name === spelling) attributes[at] = attribute;
  }
  return attributes;
}

/** The attributes without which no product of a feed can be read. @returns those that the columns lack, as in `NEEDED` */
function missingOf(columns: readonly string[]): (typeof NEEDED)[number][] {
  const attributes = attributesOfColumns(columns);
  return NEEDED.filter((some) => !some.some((name) => attributes.includes(name)));
}

/** Whether the header of a delimited file is that of a feed. */
export function isFeedHeader(columns: readonly string[]): boolean {
  return missingOf(columns).length === 0 && !columns.includes('handle');
}

/** Which columns are accepted, which of those needed are missing, and which of the given ones are not known. */
export function columnAdvice(columns: readonly string[]): string {
  const known = new Set<string>(Object.values(COLUMNS).flat());
  const unknown = columns
    .map((name) => name.replace(/^g:/, ''))
    .filter((name) => name !== '' && !known.has(name));
  const missing = missingOf(columns).map(([name]) => `“${name}”`);
  const list = (names: readonly (keyof typeof COLUMNS)[]) =>
    names.map((name) => COLUMNS[name].slice(0, 3).join(' or ')).join('; ');
  return [
    `It lacks ${missing.join(' and ')}.`,
    `It needs ${list(['id'])}, or sku; ${list(['title', 'link'])}. Optional are ${list(OPTIONAL)}.`,
    ...(unknown.length === 0 ? [] : [`Not known: ${unknown.map((name) => `“${name}”`).join(', ')}.`]),
  ].join(' ');
}
