import type { PageReport } from '@touchstone/contract';

type Agreement = NonNullable<PageReport['agreement']>;
export type AgreementField = keyof Agreement['fields'];
type FieldResult = Agreement['fields'][AgreementField]['result'];
/** Code of a place on a page. */
type Source = NonNullable<Agreement['fields'][AgreementField]['source']>;

const FIELDS: readonly AgreementField[] = ['name', 'brand', 'sku', 'gtin', 'pictures'];

/** One field, as signed and as stated by the page. The values are untrusted text; those of pictures are addresses. */
export interface ComparedLine {
  readonly field: AgreementField;
  /** Absent: it was not compared, since the certificate is not verified for this page. */
  readonly result: FieldResult | undefined;
  readonly signed: readonly string[];
  readonly stated: readonly string[];
  /** Where the page states it. */
  readonly source: Source | undefined;
}

/** The first thing to see is what differs; then what could not be told. */
const ORDER: readonly (FieldResult | undefined)[] = ['different', 'not_comparable'];

/** What was signed of a product beside what the page states of it, differences first; without fields that neither has. */
export function comparedLines(report: Pick<PageReport, 'agreement' | 'facts' | 'mc4p'>): ComparedLine[] {
  const { agreement, facts, mc4p } = report;
  const byFacts: Readonly<Record<AgreementField, readonly string[]>> = {
    name: listOf(facts.name?.value),
    brand: listOf(facts.brand?.value),
    sku: listOf(facts.sku?.value),
    gtin: [],
    pictures: [...new Set(facts.images.map(({ value }) => value))],
  };
  const lines = FIELDS.map((field): ComparedLine => {
    const compared = agreement?.fields[field];
    const ownName = field === 'name' ? listOf(mc4p.signed?.productName) : [];
    const stated = listOf(compared?.stated);
    return {
      field,
      result: compared?.result,
      signed: compared === undefined ? ownName : listOf(compared.signed),
      stated: stated.length === 0 ? byFacts[field] : stated,
      source: compared?.source,
    };
  });
  const rank = ({ result }: ComparedLine) => {
    const place = ORDER.indexOf(result);
    return result === undefined || place < 0 ? ORDER.length : place;
  };
  return lines
    .filter(({ signed, stated, field }) => signed.length + stated.length > 0 || field === 'name')
    .toSorted((one, other) => rank(one) - rank(other));
}

function listOf(value: string | readonly string[] | null | undefined): readonly string[] {
  if (value === undefined || value === null) return [];
  return typeof value === 'string' ? [value] : value;
}
