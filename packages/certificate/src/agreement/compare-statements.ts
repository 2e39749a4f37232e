import { imageKey } from '../binding/image-key.ts';
import { compareNames } from './compare-names.ts';
import { articleKey, gtin14 } from './identifiers.ts';
import { foldName } from './names.ts';
import type {
  Agreement,
  AgreementOutcome,
  FieldAgreement,
  PageStatements,
  SignedValues,
  Statement,
} from './types.ts';

/**
 * Compares what a page states about its product with what was signed. Every statement counts: one that names something else is a
 * difference, whatever the others say. Pure; the work is bounded.
 *
 * @param stated - `undefined` if the page could not be read to its end
 * @example
 * ```ts
 * import { compareStatements } from '@touchstone/certificate/agreement';
 *
 * const stated = { brands: [], skus: [], gtins: [], pictures: [] };
 * const names = [{ source: 'h1', value: 'Rolex Submariner' }] as const;
 * compareStatements({ productName: 'Pot number 6' }, { ...stated, names }).outcome; // 'different'
 * ```
 */
export function compareStatements(signed: SignedValues, stated: PageStatements | undefined): Agreement {
  if (stated === undefined) return unread(signed);
  const brand = compareValues(signed.brand, stated.brands, (text) => foldName(text).replaceAll(' ', ''));
  const sku = compareValues(signed.sku, stated.skus, articleKey);
  const gtin = compareValues(signed.gtin, stated.gtins, gtin14);
  const pictures = comparePictures(signed.pictures, stated.pictures);
  const isSupported = [sku, gtin, pictures].some(({ result }) => result === 'same');
  const fields = { name: compareNames(signed, stated.names, isSupported), brand, sku, gtin, pictures };
  return { outcome: outcomeOf(fields, stated), fields };
}

function outcomeOf(
  { name, brand, sku, gtin, pictures }: Agreement['fields'],
  { capped }: PageStatements,
): AgreementOutcome {
  if (name.result === 'different') return 'different';
  if (capped === true) return 'unclear';
  if (name.result === 'same') return 'same';
  const isIdentified = gtin.result === 'same' || (sku.result === 'same' && brand.result === 'same');
  if (name.result === 'not_stated' && isIdentified) return 'same';
  const isNothing = [name, brand, sku, gtin, pictures].every(({ result }) => result.startsWith('not_s'));
  return isNothing ? 'nothing' : 'unclear';
}

function compareValues(
  signed: string | undefined,
  stated: readonly Statement[],
  keyOf: (text: string) => string | null,
): FieldAgreement {
  if (signed === undefined) return { result: 'not_signed' };
  const [first] = stated;
  if (first === undefined) return { result: 'not_stated', signed };
  const key = keyOf(signed);
  if (key === null || key === '')
    return { result: 'not_comparable', signed, stated: first.value, source: first.source };
  const agreeing = stated.find(({ value }) => keyOf(value) === key);
  const told = agreeing ?? first;
  return {
    result: agreeing === undefined ? 'different' : 'same',
    signed,
    stated: told.value,
    source: told.source,
  };
}

/** Pictures that are told. */
const MAX_TOLD = 10;

function comparePictures(signed: readonly string[] | undefined, stated: readonly string[]): FieldAgreement {
  if (signed === undefined || signed.length === 0) return { result: 'not_signed' };
  const told = signed.slice(0, MAX_TOLD);
  if (stated.length === 0) return { result: 'not_stated', signed: told };
  const keys = new Set(signed.map(imageKey));
  const agreeing = stated.filter((address) => keys.has(imageKey(address)));
  return {
    result: agreeing.length > 0 ? 'same' : 'different',
    signed: told,
    stated: (agreeing.length > 0 ? agreeing : stated).slice(0, MAX_TOLD),
  };
}

function unread({ productName, brand, sku, gtin, pictures }: SignedValues): Agreement {
  const field = (signed: string | readonly string[] | undefined): FieldAgreement =>
    signed === undefined ? { result: 'not_signed' } : { result: 'not_comparable', signed };
  const fields = {
    name: field(productName),
    brand: field(brand),
    sku: field(sku),
    gtin: field(gtin),
    pictures: field(pictures?.slice(0, MAX_TOLD)),
  };
  return { outcome: 'unclear', fields };
}
