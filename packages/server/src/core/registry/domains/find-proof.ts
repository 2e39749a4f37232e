import { hostOf } from '@touchstone/certificate/binding';
import { withoutUnseen } from '@touchstone/certificate/text';
import type { DomainProof } from '@touchstone/contract';
import { DOMAIN_FINDINGS, type DomainFindingCode } from '@touchstone/contract/codes';
import { type PageCode, pageNote } from '@touchstone/page';
import { ServiceError } from '../../../platform/errors.ts';
import { isChallenge } from './challenge.ts';
import { metaContents } from './meta-tag.ts';

/** Network access for finding a proof of control; every hop of a fetch is guarded. */
export interface DomainProofPorts {
  /** Fetches a short text of any type. Failures of the host are data; failures of our own network are thrown. */
  readonly fetchText: (url: string, signal: AbortSignal) => Promise<FetchedText>;
  /** TXT records of a name, each with its strings concatenated. Failures as of `fetchText`. */
  readonly resolveTxt: (name: string, signal: AbortSignal) => Promise<TxtAnswer>;
}

export type FetchedText = TextAnswer | NoAnswer;

interface TextAnswer {
  readonly status: number;
  readonly finalUrl: string;
  readonly body: string;
}

export type TxtAnswer = { readonly records: readonly string[] } | NoAnswer;

/** Why there is nothing to read. */
interface NoAnswer {
  readonly failed: true;
  readonly code: PageCode;
  readonly value?: string;
}

export const WELL_KNOWN_PATH = '/.well-known/touchstone-challenge';
export const META_NAME = 'touchstone-challenge';
export const TXT_PREFIX = '_touchstone-challenge.';

type Place = DomainProof['saw'][number];
type Finding = Omit<Place, 'method' | 'where'>;
type FetchText = (url: string) => Promise<FetchedText>;

const proves = (code: DomainFindingCode): Finding => ({ found: true, code, detail: DOMAIN_FINDINGS[code] });

function provesNothing(code: DomainFindingCode, value?: string): Finding {
  const detail = DOMAIN_FINDINGS[code].replace('{value}', (place) => value ?? place);
  return { found: false, code, ...(value === undefined ? {} : { value }), detail };
}

const unanswered = ({ code, value }: NoAnswer): Finding => ({
  found: false,
  code,
  ...(value === undefined || value === '' ? {} : { value }),
  detail: pageNote(code, value),
});

/** Where a merchant may have put its challenge for a host. */
export interface Challenge {
  readonly hostname: string;
  readonly challenge: string;
  /** Of the host, in this order; the next only if the one before does not answer. */
  readonly origins: readonly string[];
  /** The method to begin with. */
  readonly first?: DomainProof['method'];
}

/**
 * Searches for the challenge in a file, the home page and DNS until it is found. Nothing is written; the result states what was
 * found instead.
 *
 * @throws ServiceError `network_unavailable` if it is not found, and our own network failed in one of the places
 */
export async function findProof(
  ports: DomainProofPorts,
  { hostname, challenge, origins, first }: Challenge,
  signal: AbortSignal,
): Promise<Place[]> {
  if (!isChallenge(challenge)) throw new Error(`No challenge: ${challenge}`);
  const fetchText: FetchText = (url) => ports.fetchText(url, signal);
  const readers: Readonly<Record<Place['method'], () => Promise<Place>>> = {
    well_known: async () => {
      const { where, answer } = await fetchFirst(fetchText, origins, WELL_KNOWN_PATH);
      return { method: 'well_known', where, ...inText(answer, hostname, (text) => inFile(text, challenge)) };
    },
    meta_tag: async () => {
      const { where, answer } = await fetchFirst(fetchText, origins, '/');
      return { method: 'meta_tag', where, ...inText(answer, hostname, (text) => inHead(text, challenge)) };
    },
    dns_txt: async () => {
      const where = `${TXT_PREFIX}${hostname}`;
      return { method: 'dns_txt', where, ...inRecords(await ports.resolveTxt(where, signal), challenge) };
    },
  };
  const order = (Object.keys(readers) as Place['method'][]).toSorted(
    (a, b) => Number(b === first) - Number(a === first),
  );
  const saw: Place[] = [];
  let fault: ServiceError | undefined;
  for (const method of order) {
    const place = await readers[method]().catch((error: unknown) => {
      if (signal.aborted || !(error instanceof ServiceError)) throw error;
      fault = error;
    });
    if (place !== undefined) saw.push(place);
    if (place?.found === true) return saw;
  }
  if (fault !== undefined) throw fault;
  return saw;
}

/** The answer of the first origin that answers; if none does, the failure of the first. */
async function fetchFirst(fetchText: FetchText, origins: readonly string[], path: string) {
  let first: { where: string; answer: FetchedText } | undefined;
  for (const origin of origins) {
    const where = `${origin}${path}`;
    const answer = await fetchText(where);
    if (!('failed' in answer)) return { where, answer };
    first ??= { where, answer };
  }
  if (first === undefined) throw new Error('No origin to ask.');
  return first;
}

function inText(answer: FetchedText, hostname: string, read: (text: TextAnswer) => Finding): Finding {
  if ('failed' in answer) return unanswered(answer);
  const { finalUrl, status } = answer;
  const host = hostOf(finalUrl);
  if (host !== hostname) return provesNothing('challenge_on_other_host', host ?? finalUrl);
  return status === 200 ? read(answer) : provesNothing('challenge_status', String(status));
}

function inFile({ finalUrl, body }: TextAnswer, challenge: string): Finding {
  // a redirect within the host may lead to content of visitors
  if (new URL(finalUrl).pathname !== WELL_KNOWN_PATH) return provesNothing('challenge_redirected', finalUrl);
  const lines = body.split(/\r\n|\r|\n/).map((line) => line.trim());
  if (lines.includes(challenge)) return proves('challenge_in_file');
  if (body.trim() === '') return provesNothing('challenge_file_empty');
  return provesNothing('challenge_file_differs', excerpt(body));
}

/** Only the head of a page counts, since visitors may write into its body. */
function inHead({ body }: TextAnswer, challenge: string): Finding {
  const contents = metaContents(body, META_NAME);
  if (contents.includes(challenge)) return proves('challenge_in_page');
  return contents.length === 0
    ? provesNothing('challenge_meta_missing')
    : provesNothing('challenge_meta_differs', contents.map(excerpt).join(', '));
}

function inRecords(answer: TxtAnswer, challenge: string): Finding {
  if ('failed' in answer) return unanswered(answer);
  const { records } = answer;
  if (records.some((record) => record.trim() === challenge)) return proves('challenge_in_txt');
  return records.length === 0
    ? provesNothing('challenge_txt_missing')
    : provesNothing('challenge_txt_differs', records.slice(0, 5).map(excerpt).join(', '));
}

/** Text of the host, shortened and printable: it is untrusted. */
function excerpt(text: string): string {
  return JSON.stringify(withoutUnseen(text.trim().slice(0, 100)));
}
