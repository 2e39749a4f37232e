import {
  type ReceivedVerification,
  shown,
  signedContradictions,
  statusContradictions,
  withdrawalContradictions,
} from '../consistency/verification.ts';
import type { SignedClaims } from '../verify/types.ts';
import { concludeItem } from './item-result.ts';
import { ITEM_FIELDS, type ItemFieldName, type ItemVerification } from './types.ts';

/** A result as received. */
export type ReceivedItem = Omit<ReceivedVerification, 'productId' | 'checkDetails' | 'conclusion'> &
  Pick<ItemVerification, 'certificate' | 'conclusion'> & {
    readonly productId?: string | undefined;
    readonly item: { readonly link?: string | undefined };
    readonly fields: Readonly<
      Record<
        ItemFieldName,
        { readonly result: 'agrees' | 'differs' | 'not_compared'; readonly why?: string | undefined }
      >
    >;
  };

/**
 * Returns what in the verification of an item contradicts itself, as sentences; empty if nothing does. A caller must not rely on a result
 * that contradicts itself.
 *
 * @example
 * ```ts
 * import { itemContradictions, verifyItemBy } from '@touchstone/certificate/item';
 * import { createKeySet, verify } from '@touchstone/certificate/verify';
 *
 * const keys = { keySet: createKeySet({ keys: [] }), issuers: [], now: new Date() };
 * const answer = await verifyItemBy(
 *   {},
 *   { verify: (document, pageUrl) => verify({ ...keys, document, pageUrl, productId: '' }) },
 * );
 * itemContradictions(answer); // []
 * itemContradictions({ ...answer, status: 'verified' }).length > 0; // true
 * ```
 */
export function itemContradictions(result: ReceivedItem): string[] {
  const { status, checks, signed, productId, certificate, fields, item, conclusion } = result;
  const found = statusContradictions(status, checks);
  if (certificate === 'none' && status !== 'unverified')
    found.push(`The status is ${status}, although there is no certificate.`);
  for (const name of ITEM_FIELDS) {
    const { result: compared, why } = fields[name];
    if ((compared === 'not_compared') !== (why !== undefined))
      found.push(`${name} is ${compared}, with the reason ${shown(why ?? 'missing')}.`);
    if (compared !== 'not_compared' && checks.signatureValid !== true)
      found.push(`${name} is ${compared}, but signatureValid is ${checks.signatureValid}.`);
  }
  if (fields.page.result === 'agrees' && checks.boundToUrl !== true)
    found.push(`The page agrees, but boundToUrl is ${checks.boundToUrl}.`);
  const { level, code } = concludeItem({ ...result, signed: signed as SignedClaims | undefined });
  if (conclusion.level !== level || conclusion.code !== code) {
    const is = shown(`${conclusion.code} (${conclusion.level})`);
    found.push(`The conclusion is ${is}, but ${code} (${level}) follows from the rest.`);
  }
  return [
    ...found,
    ...signedContradictions(signed, { checks, productId, pageUrl: item.link ?? '' }),
    ...withdrawalContradictions(result.withdrawal, checks, withoutItemNotes(result)),
  ];
}

/** What is said of the item itself comes before what is said of its certificate. */
function withoutItemNotes({ errors, warnings }: ReceivedItem): Pick<ReceivedItem, 'errors' | 'warnings'> {
  return { errors, warnings: warnings.filter((note) => !note.startsWith('item_')) };
}
