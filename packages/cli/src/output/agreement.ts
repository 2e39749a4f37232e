import { AGREEMENT_FIELDS, type Agreement, type FieldResult } from '@touchstone/certificate/agreement';
import { type Paint, type Style, safe, table } from './text.ts';

const WORDS: Readonly<Record<FieldResult, { readonly word: string; readonly style: Style }>> = {
  same: { word: 'same', style: 'good' },
  different: { word: 'DIFFERENT', style: 'bad' },
  not_comparable: { word: 'unclear', style: 'unsure' },
  not_stated: { word: 'not stated', style: 'dim' },
  not_signed: { word: 'not signed', style: 'dim' },
};

/** What was signed and what the page states, one line per field, differences first; empty if there is nothing to show. */
export function agreementText(agreement: Agreement | undefined, paint: Paint): string {
  if (agreement === undefined) return '';
  const rows = AGREEMENT_FIELDS.flatMap((name) => {
    const { result, signed, stated } = agreement.fields[name];
    if (signed === undefined && stated === undefined) return [];
    const { word, style } = WORDS[result];
    const cells = [
      { text: word, shown: paint(style, word) },
      name,
      `signed ${shown(signed)}`,
      `stated ${shown(stated)}`,
    ];
    return [{ isFirst: result === 'different', cells }];
  });
  if (rows.length === 0) return '';
  const sorted = rows.toSorted((a, b) => Number(b.isFirst) - Number(a.isFirst));
  return `Signed and stated by the page\n${table(sorted.map(({ cells }) => cells))}`;
}

/** At most this many characters of a value. */
const SHOWN = 80;

function shown(value: string | readonly string[] | undefined): string {
  if (value === undefined) return 'nothing';
  const text =
    typeof value === 'string' ? value : value.length === 1 ? (value[0] ?? '') : `${value.length} values`;
  return safe(text.length > SHOWN ? `${text.slice(0, SHOWN - 1)}…` : text);
}
