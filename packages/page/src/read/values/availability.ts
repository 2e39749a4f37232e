import { phraseValue } from './availability-words.ts';

/** Names of schema.org ItemAvailability. */
const NAMES = [
  'BackOrder',
  'Discontinued',
  'InStock',
  'InStoreOnly',
  'LimitedAvailability',
  'MadeToOrder',
  'OnlineOnly',
  'OutOfStock',
  'PreOrder',
  'PreSale',
  'Reserved',
  'SoldOut',
] as const;

const BY_FOLDED: ReadonlyMap<string, string> = new Map([
  ...NAMES.map((name): [string, string] => [name.toLowerCase(), name]),
  // spellings of feeds and of Open Graph (`product:availability`), and common slips
  ['instoke', 'InStock'],
  ['available', 'InStock'],
  ['availablefororder', 'InStock'],
  ['availableforpurchase', 'InStock'],
  ['onbackorder', 'BackOrder'],
  ['oos', 'OutOfStock'],
  ['notavailable', 'OutOfStock'],
  ['unavailable', 'OutOfStock'],
  ['outstock', 'OutOfStock'],
  ['pending', 'PreOrder'],
  ['preorderavailability', 'PreOrder'],
  ['limitedstock', 'LimitedAvailability'],
  ['sold', 'SoldOut'],
  ['notsold', 'InStock'],
]);

/** Reads an availability as structured data gives it: IRI, name, a feed's `in stock`, words of the page's language. */
export function availabilityName(text: string): string | undefined {
  if (text.length > 100) return undefined;
  const local = text.trim().split(/[/#]/).at(-1) ?? '';
  const folded = local.toLowerCase().replace(/[^a-z]/g, '');
  const name = BY_FOLDED.get(folded) ?? BY_FOLDED.get(folded.replace(/^schema/, ''));
  return name ?? (/[:/]/.test(text) ? undefined : phraseValue(text.toLowerCase()));
}
