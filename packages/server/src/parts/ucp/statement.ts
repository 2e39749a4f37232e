import { hash, randomUUID } from 'node:crypto';
import { readItem } from '@touchstone/catalogue';
import { VERIFIER } from '@touchstone/certificate';
import { canonicalJson } from '@touchstone/certificate/issue';
import { ITEM_FIELDS } from '@touchstone/certificate/item';
import { proofJwt } from '@touchstone/certificate/log';
import { splitAddress } from '@touchstone/certificate/receipt';
import type { ItemAnswer, UcpStatement } from '@touchstone/contract';
import type { PageCheckAnswer } from '../../core/page-checks/check-page.ts';
import type { Clock } from '../../platform/clock.ts';
import { ServiceError } from '../../platform/errors.ts';

/** What a statement says of its subject. */
type Concluded = Omit<UcpStatement, 'v' | 'iss' | 'iat' | 'exp' | 'jti' | 'aud' | 'nonce' | 'verifier'>;

/** Seconds for which a statement is valid: a purchase follows at once, and keys and certificates can be revoked. */
const VALID_FOR = 900;

/** What was concluded about a page, and nothing that is not in its report. */
export function ofPage({ report, observation, certificate }: PageCheckAnswer): Concluded {
  const { mc4p, verdict, conclusion } = report;
  const { sha256, outcome } = observation;
  const isSeen = outcome.kind === 'page' && sha256 !== undefined;
  return {
    subject: {
      kind: 'page',
      ...address(report.url),
      landedOn: address(report.final_url),
      fetchedAt: report.fetched_at,
      ...(isSeen ? { sha256 } : {}),
    },
    verdict,
    conclusion: { level: conclusion.level, code: conclusion.code },
    notSeen: isSeen ? ['pictures'] : ['page', 'pictures'],
    ...(mc4p.checks === undefined ? {} : { checks: mc4p.checks }),
    ...(mc4p.product_id === undefined
      ? {}
      : { certificate: named(mc4p.product_id, mc4p.signed?.domain, certificate) }),
  };
}

/**
 * What was concluded about an item, and nothing that is not in its verification.
 *
 * @throws ServiceError `item_unreadable` if it has no canonical form by which it could be named
 */
export function ofItem(item: unknown, answer: ItemAnswer, source: string | undefined): Concluded {
  const text = canonicalJson(item);
  if (text === null)
    throw new ServiceError('item_unreadable', {
      message:
        'The item has no canonical form (RFC 8785), so that no statement can name it: a number or a character in it cannot be written in JSON without loss.',
    });
  const { id, link } = answer.item;
  const { level, code } = answer.conclusion;
  const carried = readItem(item, { source })?.certificates.find(({ place }) => place === answer.place);
  return {
    subject: {
      kind: 'item',
      sha256: sha256Of(text),
      ...(id === undefined ? {} : { id }),
      ...(link === undefined ? {} : { link: address(link) }),
      ...(answer.offeredBy === undefined ? {} : { offeredBy: answer.offeredBy }),
    },
    verdict: answer.status,
    conclusion: { level, code },
    notSeen: ['page', 'pictures'],
    checks: answer.checks,
    fields: Object.fromEntries(
      ITEM_FIELDS.map((name) => [name, answer.fields[name].result]),
    ) as UcpStatement['fields'] & object,
    ...(answer.productId === undefined
      ? {}
      : { certificate: named(answer.productId, answer.signed?.domain, carried?.document) }),
  };
}

/** For whom a statement is made, as the caller says. */
export interface Requester {
  readonly audience?: string | null | undefined;
  readonly nonce?: string | null | undefined;
}

/** The whole statement. */
export function statementOf(
  concluded: Concluded,
  { audience, nonce }: Requester,
  { baseUrl, clock }: { readonly baseUrl: string; readonly clock: Clock },
): UcpStatement {
  const iat = Math.floor(clock().getTime() / 1000);
  return {
    v: 1,
    iss: baseUrl,
    iat,
    exp: iat + VALID_FOR,
    jti: randomUUID(),
    ...(audience ? { aud: audience } : {}),
    ...(nonce ? { nonce } : {}),
    ...concluded,
    verifier: VERIFIER,
  };
}

function named(productId: string, domain: string | undefined, document: unknown) {
  const jwt = proofJwt(document);
  return {
    productId,
    ...(domain === undefined ? {} : { domain }),
    ...(jwt === null ? {} : { proofSha256: sha256Of(jwt) }),
  };
}

function address(text: string) {
  const { url, query } = splitAddress(text);
  return { url, ...(query === undefined ? {} : { querySha256: sha256Of(query) }) };
}

const sha256Of = (text: string): string => hash('sha256', text, 'base64url');
