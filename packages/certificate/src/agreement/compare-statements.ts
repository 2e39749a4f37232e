import { imageKey } from '../binding/image-key.ts';
import { compareNames, shopName } from './compare-names.ts';
import { articleKey, gtin14 } from './identifiers.ts';
import { foldName, nameOf, relate } from './names.ts';
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
  const gtin = compareValues(signed.gtin, stated.gtins, gtin14);
  const sku = compareValues(signed.sku, stated.skus, articleKey);
  const pictures = comparePictures(signed.pictures, stated.pictures);
  const isSupported = [sku, gtin, pictures].some(({ result }) => result === 'same');
  const name = compareNames(signed, stated.names, isSupported);
  const isShown = name.result === 'same' && pictures.result === 'same';
  const fields = {
    name,
    brand: compareBrands(signed, stated.brands),
    sku: isShown ? ofVariant(sku) : sku,
    gtin: isShown ? ofVariant(gtin) : gtin,
    pictures,
  };
  return { outcome: outcomeOf(fields, stated), fields };
}

function outcomeOf(
  { name, brand, sku, gtin, pictures }: Agreement['fields'],
  { capped }: PageStatements,
): AgreementOutcome {
  if (name.result === 'different') return 'different';
  const others = [brand, sku, gtin, pictures];
  if (capped === true || others.some(({ result }) => result === 'different')) return 'unclear';
  if (name.result === 'same') return 'same';
  const isIdentified = gtin.result === 'same' || (sku.result === 'same' && brand.result === 'same');
  if (name.result === 'not_stated' && isIdentified) return 'same';
  const isNothing = [name, ...others].every(
    ({ result }) => result === 'not_stated' || result === 'not_signed',
  );
  return isNothing ? 'nothing' : 'unclear';
}

/** A differing number of a page with the same name and pictures: variants have numbers of their own, of which a page may state one. */
function ofVariant(field: FieldAgreement): FieldAgreement {
  return field.result === 'different' ? { ...field, result: 'not_comparable' } : field;
}

/** Brands, which one page states as `Kiln` and another as `Kiln House Ltd`. Shops without brands state their own name. */
function compareBrands(
  { brand, storeName = '', domain = '' }: SignedValues,
  stated: readonly Statement[],
): FieldAgreement {
  const found = compareValues(brand, stated, joinedName);
  if (brand === undefined || found.result !== 'different') return found;
  const [own, shop] = [nameOf(brand), shopName(storeName, domain)];
  for (const statement of stated.slice(0, MAX_VALUES)) {
    const relation = relate(own, nameOf(statement.value), shop);
    const result = relation === 'same' || relation === 'close' ? 'same' : 'not_comparable';
    if (relation !== 'other') return { ...found, result, stated: statement.value, source: statement.source };
  }
  return found;
}

function joinedName(text: string): string {
  return foldName(text).replaceAll(' ', '');
}

/** Values of a field that are compared; readings have fewer. */
const MAX_VALUES = 100;

function compareValues(
  signed: string | undefined,
  stated: readonly Statement[],
  keyOf: (text: string) => string | null,
): FieldAgreement {
  if (signed === undefined) return { result: 'not_signed' };
  const key = keyOf(signed);
  // values of the field, without what only looks like one
  const values = stated.slice(0, MAX_VALUES).filter(({ value }) => (keyOf(value) ?? '') !== '');
  const [first] = values;
  if (first === undefined) return { result: 'not_stated', signed };
  const told = values.find(({ value }) => keyOf(value) === key) ?? first;
  const isSame = keyOf(told.value) === key;
  const result = (key ?? '') === '' ? 'not_comparable' : isSame ? 'same' : 'different';
  return { result, signed, stated: told.value, source: told.source };
}

/** Pictures that are told. */
const MAX_TOLD = 10;

function comparePictures(signed: readonly string[] | undefined, stated: readonly string[]): FieldAgreement {
  const keys = new Set((signed ?? []).map(imageKey).filter((key) => key !== null));
  if (signed === undefined || keys.size === 0) return { result: 'not_signed' };
  const told = signed.slice(0, MAX_TOLD);
  if (stated.length === 0) return { result: 'not_stated', signed: told };
  const agreeing = stated.filter((address) => keys.has(imageKey(address) ?? ''));
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
