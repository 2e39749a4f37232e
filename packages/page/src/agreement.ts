import type { Agreement, FieldAgreement } from '@touchstone/certificate/agreement';
import {
  comparePrice,
  compareStatements,
  signedPriceOf,
  signedValuesOf,
} from '@touchstone/certificate/agreement';
import type { CheckedNode } from './certificate-nodes.ts';
import { pageNote } from './codes.ts';
import type { Observation } from './types.ts';

/** Characters of a value in a report: enough to see what it is. */
const MAX_VALUE = 500;

/** How far the page states what the certificate that determined the verdict signs; absent if nothing is validly signed. */
export function agreementOf(
  { outcome }: Observation,
  decidedBy: CheckedNode | undefined,
): Agreement | undefined {
  if (outcome.kind !== 'page' || decidedBy?.kind !== 'checked') return undefined;
  const signed = signedValuesOf(decidedBy.node, decidedBy.result);
  if (signed === undefined) return undefined;
  const { fields, ...agreement } = compareStatements(signed, outcome.reading.statements);
  const cut = Object.entries(fields).map(([name, field]) => [name, shortened(field)]);
  return { ...agreement, fields: Object.fromEntries(cut) as Agreement['fields'] };
}

/** That the page asks another price than its certificate signs, if it signs one. It changes no verdict, check or conclusion. */
export function priceWarnings({ outcome }: Observation, decidedBy: CheckedNode | undefined): string[] {
  if (outcome.kind !== 'page' || decidedBy?.kind !== 'checked') return [];
  const signed = signedPriceOf(decidedBy.node, decidedBy.result);
  const { facts } = outcome.reading;
  if (signed === undefined || comparePrice(signed, facts) !== 'different') return [];
  const { amount, currency, since } = signed;
  const asked = `${facts.price?.value} ${facts.currency?.value}`;
  return [pageNote('signed_price_differs', `signed ${amount} ${currency} on ${since}, asked ${asked}`)];
}

function shortened(field: FieldAgreement): FieldAgreement {
  const { signed, stated } = field;
  return {
    ...field,
    ...(signed === undefined ? {} : { signed: beginning(signed) }),
    ...(stated === undefined ? {} : { stated: beginning(stated) }),
  };
}

function beginning(value: string | readonly string[]): string | readonly string[] {
  const cut = (text: string) => text.slice(0, MAX_VALUE).toWellFormed();
  return typeof value === 'string' ? cut(value) : value.map(cut);
}
