import { isAboutAnotherPage } from '@touchstone/certificate';
import {
  type Agreement,
  compareAvailability,
  comparePrice,
  compareStatements,
  type FieldAgreement,
  type FieldResult,
  type OfferFacts,
  type OfferPrice,
  type PageStatements,
  type SignedValues,
  signedPriceOf,
  signedValuesOf,
} from '@touchstone/certificate/agreement';
import { hostOf } from '@touchstone/certificate/binding';
import type { Availability } from '@touchstone/contract';
import { DRIFT_FIELDS, type DriftField } from '@touchstone/contract/codes';
import type { PageCheckAnswer } from '../../core/page-checks/check-page.ts';

/** What the catalogue of a store, as it was sent, states of a product. */
export interface CataloguedProduct extends SignedValues {
  readonly price?: OfferPrice;
  readonly availability?: Availability;
}

/** A field of which the page states something else. */
export interface Difference {
  readonly field: DriftField;
  /** Absent: the catalogue does not differ, or states nothing. */
  readonly catalogue?: string;
  /** Absent: the certificate on the page does not differ, or signs nothing. */
  readonly signed?: string;
  readonly page: string;
}

export interface PageComparison {
  readonly differences: readonly Difference[];
  /** Fields of which the page states the same, or nothing. All others are uncertain: they show no difference, and end none. */
  readonly settled: ReadonlySet<DriftField>;
}

const NOTHING: PageComparison = { differences: [], settled: new Set() };

/**
 * Compares what a page states of its product with the catalogue and with the certificate that it carries. Pure.
 *
 * Only what a reading is sure of is a difference. Nothing is compared if the page could not be read to its end, states no product of
 * its own, or is another than that of the product. Beyond what the comparisons tolerate (`compareStatements`, `comparePrice`,
 * `compareAvailability`):
 *
 * - pictures differ only if none agrees on a page that names the product, and the page has some on a host of the known ones: shops serve
 *   the same pictures from other hosts, under other addresses;
 * - a number (SKU, GTIN) differs on a page with the product's name and pictures only if it is that of no variant: the page has neither
 *   variants nor a range of prices, and states one number, in its data.
 *
 * @param isReplaced - a newer certificate has been issued than that on the page, which is therefore not compared
 */
export function comparePage(
  product: CataloguedProduct,
  { observation, report, certificate }: Pick<PageCheckAnswer, 'observation' | 'report' | 'certificate'>,
  isReplaced: boolean,
): PageComparison {
  const { outcome } = observation;
  if (outcome.kind !== 'page' || outcome.reading.gate !== null || isAboutAnotherPage(report)) return NOTHING;
  const { statements, statesProduct, facts } = outcome.reading;
  if (statements === undefined || statements.capped === true || statesProduct !== true) return NOTHING;
  const page: ReadPage = { statements, facts };
  const verified = { signed: report.mc4p.signed, checks: report.mc4p.checks ?? {} };
  const document = isReplaced ? undefined : (certificate as Readonly<Record<string, unknown>> | undefined);
  const values = document && signedValuesOf(document, verified);
  const price = document && signedPriceOf(document, verified);
  const catalogued = fieldsOf(product, page);
  const signed = values && fieldsOf({ ...values, ...(price && { price }) }, page);
  const differences: Difference[] = [];
  const settled = new Set<DriftField>();
  for (const field of DRIFT_FIELDS) {
    const [own, theirs] = [catalogued[field], signed?.[field]];
    const results = [own.result, ...(theirs === undefined ? [] : [theirs.result])];
    if (results.every((result) => SETTLED.has(result))) settled.add(field);
    if (!results.includes('different')) continue;
    differences.push({
      field,
      ...(own.result === 'different' && { catalogue: own.value }),
      ...(theirs?.result === 'different' && { signed: theirs.value }),
      page: own.result === 'different' ? own.stated : (theirs?.stated ?? ''),
    });
  }
  return { differences, settled };
}

const SETTLED: ReadonlySet<FieldResult> = new Set(['same', 'not_stated', 'not_signed']);

interface ReadPage {
  readonly statements: PageStatements;
  readonly facts: OfferFacts;
}

interface Compared {
  readonly result: FieldResult;
  readonly value: string;
  readonly stated: string;
}

function fieldsOf(product: CataloguedProduct, page: ReadPage): Record<DriftField, Compared> {
  const { statements, facts } = page;
  const { fields } = compareStatements(product, statements);
  const { price, availability } = product;
  const asked = [facts.price?.value, facts.currency?.value].filter((text) => text !== undefined).join(' ');
  return {
    name: told(fields.name),
    brand: told(fields.brand),
    sku: told(numberOf('sku', product, page, fields)),
    gtin: told(numberOf('gtin', product, page, fields)),
    pictures: told(picturesOf(product, page, fields)),
    price: {
      result: price === undefined ? 'not_signed' : comparePrice(price, facts),
      value: price === undefined ? '' : `${price.amount} ${price.currency}`,
      stated: asked,
    },
    availability: {
      result: availability === undefined ? 'not_signed' : compareAvailability(availability, facts),
      value: availability ?? '',
      stated: facts.availability?.value ?? '',
    },
  };
}

function picturesOf(
  { pictures = [] }: CataloguedProduct,
  { statements }: ReadPage,
  { name, pictures: compared }: Agreement['fields'],
): FieldAgreement {
  if (compared.result !== 'different') return compared;
  const hosts = new Set(pictures.map(hostOf));
  const isComparable = name.result === 'same' && statements.pictures.some((url) => hosts.has(hostOf(url)));
  return isComparable ? compared : { ...compared, result: 'not_comparable' };
}

const DATA: ReadonlySet<string> = new Set(['jsonld', 'microdata']);

/** A number that `compareStatements` takes for one of a variant, though the page has none. */
function numberOf(
  field: 'sku' | 'gtin',
  product: CataloguedProduct,
  { statements, facts }: ReadPage,
  fields: Agreement['fields'],
): FieldAgreement {
  const compared = fields[field];
  if (compared.result !== 'not_comparable') return compared;
  const stated = statements[`${field}s`];
  const isOne = new Set(stated.map(({ value }) => value)).size === 1;
  const isInData = stated.every(({ source }) => DATA.has(source));
  if (!isOne || !isInData || facts.variant || facts.offers) return compared;
  // without pictures, no number is taken for that of a variant
  return compareStatements(product, { ...statements, pictures: [] }).fields[field];
}

/** Characters of a value that are kept. */
const MAX_VALUE = 300;

function told({ result, signed, stated }: FieldAgreement): Compared {
  return { result, value: textOf(signed), stated: textOf(stated) };
}

function textOf(value: string | readonly string[] = ''): string {
  // of pictures, the first ones
  const text = typeof value === 'string' ? value : value.slice(0, 2).join(' ');
  return text.slice(0, MAX_VALUE).toWellFormed();
}
