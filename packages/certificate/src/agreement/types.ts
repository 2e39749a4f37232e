import type { AgreementOutcome } from '../verify/conclusion/evidence.ts';

export { AGREEMENT_OUTCOMES, type AgreementOutcome } from '../verify/conclusion/evidence.ts';

/** The fields that are compared, in the order in which they are told; a closed list. */
export const AGREEMENT_FIELDS = ['name', 'brand', 'sku', 'gtin', 'pictures'] as const;
export type AgreementField = (typeof AGREEMENT_FIELDS)[number];

/**
 * Result of comparing one field; a closed list. `not_comparable`: both are there, but whether they mean the same cannot be told, such
 * as names in two languages.
 */
export const FIELD_RESULTS = ['same', 'different', 'not_comparable', 'not_stated', 'not_signed'] as const;
export type FieldResult = (typeof FIELD_RESULTS)[number];

/** Where on a page a value is stated; a closed list. */
export const STATEMENT_SOURCES = [
  'jsonld',
  'microdata',
  'h1',
  'title',
  'og',
  'meta',
  'data',
  'text',
] as const;
export type StatementSource = (typeof STATEMENT_SOURCES)[number];

/** A value that a page states. */
export interface Statement {
  /** `microdata`: RDFa too; `og`: previews for social networks; `data`: embedded data and attributes; `text`: printed text. */
  readonly source: StatementSource;
  readonly value: string;
}

/** Everything that a page states to identify its product, without its certificate; bounded in count and length. */
export interface PageStatements {
  readonly names: readonly Statement[];
  readonly brands: readonly Statement[];
  readonly skus: readonly Statement[];
  readonly gtins: readonly Statement[];
  /** Absolute addresses. */
  readonly pictures: readonly string[];
  /** The name that the page gives its site, if it does. */
  readonly siteName?: string;
  /** The page has more names than were read. */
  readonly capped?: true;
}

/** What the certificate of a page signs about its product. */
export interface SignedValues {
  readonly productName: string;
  readonly storeName?: string;
  /** The host that the certificate is for. */
  readonly domain?: string;
  readonly brand?: string;
  readonly sku?: string;
  readonly gtin?: string;
  /** Absolute addresses. */
  readonly pictures?: readonly string[];
}

/** How one field agrees. */
export interface FieldAgreement {
  readonly result: FieldResult;
  readonly signed?: string | readonly string[];
  /** The statement that contradicts; if none does, the one that agrees. */
  readonly stated?: string | readonly string[];
  /** Where it is stated. */
  readonly source?: StatementSource;
}

/** How far a page states what was signed. */
export interface Agreement {
  readonly outcome: AgreementOutcome;
  readonly fields: Readonly<Record<AgreementField, FieldAgreement>>;
}
