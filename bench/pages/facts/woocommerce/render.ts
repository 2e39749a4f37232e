/**
 * Renders product pages of a WordPress with WooCommerce in many themes, currencies, formats and tax displays, and writes them with the data
 * of its database: a set for `npm run bench:pages -- facts` (TOUCHSTONE_WOOCOMMERCE). `WORDPRESS=<folder with wp-load.php> node
 * bench/pages/facts/woocommerce/render.ts <folder to write> [pages per product]` Needs `php`. Neither the software nor its pages are part of the
 * repository.
 */
import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Currency, position of its sign, separators of thousands and decimals, decimals, locale. */
const FORMATS = [
  ['USD', 'left', ',', '.', '2', 'en_US'],
  ['EUR', 'right_space', '.', ',', '2', 'de_DE'],
  ['EUR', 'right_space', ' ', ',', '2', 'fr_FR'],
  ['EUR', 'left', '.', ',', '2', 'es_ES'],
  ['JPY', 'left', ',', '.', '0', 'ja'],
  ['AED', 'left_space', ',', '.', '2', 'ar'],
  ['PLN', 'right_space', ' ', ',', '2', 'pl_PL'],
  ['INR', 'left', ',', '.', '2', 'en_US'],
  ['CHF', 'left_space', '’', '.', '2', 'de_DE'],
  ['BRL', 'left_space', '.', ',', '2', 'pt_BR'],
  ['KWD', 'left', ',', '.', '3', 'ar'],
  ['CLP', 'left', '.', ',', '0', 'es_ES'],
] as const;
/** Whether prices are displayed with tax, and the text after them. */
const TAXES = [
  ['excl', ''],
  ['incl', ''],
  ['incl', 'incl. VAT'],
  ['excl', 'ex. VAT'],
] as const;

interface Rendered {
  readonly html: string;
  readonly truth: object;
}

function php<T>(wordpress: string, asked: object): T | undefined {
  const { stdout } = spawnSync('php', ['-d', 'memory_limit=1G', '-d', 'display_errors=0', SCRIPT], {
    env: { ...process.env, WORDPRESS: wordpress, RENDER: JSON.stringify(asked) },
    maxBuffer: 64_000_000,
    timeout: LONGEST_MS,
  });
  const text = stdout.toString();
  try {
    return JSON.parse(text.slice(text.lastIndexOf('\n{') + 1)) as T;
  } catch {
    return undefined;
  }
}

/** Milliseconds for one page: some themes never end on some products. */
const LONGEST_MS = 30_000;
const SCRIPT = join(import.meta.dirname, 'page.php');

function main([folder, perProduct = '4']: readonly string[]): number {
  const wordpress = process.env.WORDPRESS;
  if (wordpress === undefined || !existsSync(join(wordpress, 'wp-load.php')) || folder === undefined) {
    console.error('Name the WordPress in WORDPRESS, and the folder to write to.');
    return 2;
  }
  const listed = php<{ products: { id: number; path: string }[] }>(wordpress, {});
  if (listed === undefined) {
    console.error('That WordPress lists no products: is WooCommerce active there, and php installed?');
    return 1;
  }
  const themes = readdirSync(join(wordpress, 'wp-content/themes')).filter((name) => !name.includes('.'));
  mkdirSync(join(folder, 'html'), { recursive: true });
  const truths: Record<string, object> = {};
  for (const [i, { id, path }] of listed.products.entries()) {
    for (let n = 0; n < Number(perProduct); n++) {
      const theme = themes[(i * 3 + n * 7) % themes.length] ?? '';
      const asked = { product: id, path, ...settings(theme, i * 5 + n * 3, i + n) };
      const page = php<Rendered>(wordpress, asked);
      if (page === undefined || page.html.length < SHORTEST) {
        console.error(`${theme} does not render product ${id}: left out.`);
        continue;
      }
      const name = `${theme}-${id}-${n}`;
      truths[name] = { url: `https://shop.example${path}`, family: theme, ...page.truth };
      writeFileSync(join(folder, 'html', `${name}.html`), page.html);
    }
  }
  writeFileSync(join(folder, 'ground-truth.json'), JSON.stringify(truths, null, 1));
  console.log(`${Object.keys(truths).length} pages`);
  return 0;
}

/** Minimum characters; a shorter page is an error page. */
const SHORTEST = 8_000;

function settings(theme: string, format: number, tax: number): object {
  const [currency, place, thousands, decimals, places, locale] = FORMATS[
    format % FORMATS.length
  ] as (typeof FORMATS)[number];
  const [display, suffix] = TAXES[tax % TAXES.length] as (typeof TAXES)[number];
  return {
    locale,
    options: {
      template: theme,
      stylesheet: theme,
      woocommerce_currency: currency,
      woocommerce_currency_pos: place,
      woocommerce_price_thousand_sep: thousands,
      woocommerce_price_decimal_sep: decimals,
      woocommerce_price_num_decimals: places,
      woocommerce_tax_display_shop: display,
      woocommerce_price_display_suffix: suffix,
      woocommerce_coming_soon: 'no',
    },
  };
}

process.exitCode = main(process.argv.slice(2));
