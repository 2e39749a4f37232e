import type { CertificateToWrite, FeedPart, FeedPartOfItem } from '@touchstone/catalogue';
import type { VerificationResult } from '@touchstone/certificate';
import { certificateJson } from '@touchstone/certificate/embed';
import {
  ITEM_FIELDS,
  type ItemFieldName,
  type ItemVerification,
  verifyItemBy,
} from '@touchstone/certificate/item';
import { isRecord } from '../../problem.ts';
import { type FeedCertificates, type FoundBy, issuerOf } from './feed-certificates.ts';

/**
 * What became of an item: it has its current certificate; the store has none for it; it differs from what was signed; its certificate was
 * found and not verified; its form has no place for one.
 */
export type Outcome = 'certified' | 'no_certificate' | 'differs' | 'not_verified' | 'no_place';

/** An item of a feed, and what became of it. */
export interface CertifiedRow {
  readonly row: number;
  readonly outcome: Outcome;
  readonly id?: string;
  readonly name?: string;
  readonly link?: string;
  readonly productId?: string;
  /** By what its certificate was found. */
  readonly foundBy?: FoundBy;
  /** The conclusion about item and certificate. */
  readonly conclusion?: string;
  /** The fields that differ. */
  readonly fields?: Readonly<
    Partial<Record<ItemFieldName, Pick<ItemVerification['fields']['sku'], 'signed' | 'stated'>>>
  >;
  /** An earlier certificate was removed from it. */
  readonly removed?: true;
}

/** A part of a feed as it is written, and what is told of it. */
export interface WrittenPart {
  readonly text: string;
  readonly told?: CertifiedRow | Extract<FeedPart, { problem: unknown }>;
}

export interface Certifying {
  readonly certificates: FeedCertificates;
  readonly verify: (document: unknown, pageUrl: string) => Promise<VerificationResult>;
}

/**
 * Writes the current certificate into an item, and removes earlier ones of its service. An item gets none that another page or field
 * contradicts: whoever verifies the feed must find that they agree.
 */
export async function certifyPart(part: FeedPart, certifying: Certifying): Promise<WrittenPart> {
  if (!('item' in part)) return 'problem' in part ? { text: part.text, told: part } : part;
  const { certificates } = certifying;
  const isOurs = (document: unknown) => {
    const issuer = issuerOf(document);
    return issuer !== undefined && (certificates.issuers.has(issuer) || issuer === certificates.service);
  };
  const judged = await judge(part, certifying);
  const written = judged.document === undefined ? null : part.write(toWrite(judged.document), isOurs);
  const about = aboutOf(part, judged.told);
  if (written !== null) return { text: written, told: about };
  const outcome = about.outcome === 'certified' ? 'no_place' : about.outcome;
  const text = part.write(undefined, isOurs) ?? part.text;
  return { text, told: { ...about, outcome, ...(text.length < part.text.length ? { removed: true } : {}) } };
}

type Told = Pick<CertifiedRow, 'outcome' | 'productId' | 'foundBy' | 'conclusion' | 'fields'>;

/** @returns `document`: the certificate that the item gets */
async function judge(
  { item }: FeedPartOfItem,
  { certificates, verify }: Certifying,
): Promise<{ readonly told: Told; readonly document?: Readonly<Record<string, unknown>> }> {
  const found = await certificates.find(item);
  if (found === undefined) return { told: { outcome: 'no_certificate' } };
  const { document, by: foundBy } = found;
  const link = item.link ?? item.links[0];
  const result = await verifyItemBy(
    { ...item, ...(link === undefined ? {} : { link }), certificates: [{ place: 'pulled', document }] },
    { verify },
  );
  const { productId, conclusion, fields, status, checks } = result;
  const differing = ITEM_FIELDS.filter((name) => fields[name].result === 'differs');
  const told = {
    ...(productId === undefined ? {} : { productId }),
    foundBy,
    conclusion: conclusion.code,
    ...(differing.length === 0
      ? {}
      : { fields: Object.fromEntries(differing.map((name) => [name, saidOf(fields[name])])) }),
  };
  if (differing.length > 0) return { told: { outcome: 'differs', ...told } };
  // without a link there is no page to compare; everything else is checked
  const isGood =
    link === undefined
      ? checks.signatureValid === true && checks.timestampValid === true
      : status === 'verified';
  return isGood
    ? { told: { outcome: 'certified', ...told }, document }
    : { told: { outcome: 'not_verified', ...told } };
}

function saidOf({ signed, stated }: ItemVerification['fields']['sku']) {
  return { ...(signed === undefined ? {} : { signed }), ...(stated === undefined ? {} : { stated }) };
}

function aboutOf({ row, item: { id, name, link } }: FeedPartOfItem, told: Told): CertifiedRow {
  return {
    row,
    ...(id === undefined ? {} : { id }),
    ...(name === undefined ? {} : { name }),
    ...(link === undefined ? {} : { link }),
    ...told,
  };
}

function toWrite(document: Readonly<Record<string, unknown>>): CertificateToWrite {
  const issuer = issuerOf(document) ?? '';
  const context = [document['@context']].flat().find((one) => isRecord(one) && typeof one.svc === 'string');
  const namespaceUrl = isRecord(context) ? String(context.svc) : `${issuer}/ns#`;
  return { json: certificateJson(document), namespaceUrl, issuer };
}
