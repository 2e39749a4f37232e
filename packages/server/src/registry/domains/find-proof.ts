import { hostOf } from '@touchstone/certificate/binding';
import type { DomainProof } from '@touchstone/contract';
import { metaContents } from './meta-tag.ts';

/** What a proof of control is looked for with; adapters guard every hop of a fetch. */
export interface DomainProofPorts {
  /** Fetches a small text of any type. What goes wrong at the host is data; trouble of ours is thrown. */
  readonly fetchText: (url: string) => Promise<FetchedText>;
  /** TXT records of a name, the strings of each joined. */
  readonly resolveTxt: (name: string) => Promise<TxtAnswer>;
}

export type FetchedText =
  | { readonly status: number; readonly finalUrl: string; readonly body: string }
  | NoAnswer;

export type TxtAnswer = { readonly records: readonly string[] } | NoAnswer;

/** `note`: why there is nothing to look at, as `code: sentence`. */
interface NoAnswer {
  readonly failed: true;
  readonly note: string;
}

export const WELL_KNOWN_PATH = '/.well-known/touchstone-challenge';
export const META_NAME = 'touchstone-challenge';
export const TXT_PREFIX = '_touchstone-challenge.';

type Sighting = DomainProof['saw'][number];
type Fetcher = DomainProofPorts['fetchText'];

/**
 * Looks for the challenge in the three places, until it is found in one. Nothing is written; the answer says
 * what was there instead.
 *
 * `origins`: where the host is asked, in this order; the next only if nobody answers at the one before.
 */
export async function findProof(
  ports: DomainProofPorts,
  hostname: string,
  challenge: string,
  origins: readonly string[],
): Promise<Sighting[]> {
  const saw: Sighting[] = [];
  const places = [
    () => lookAtFile(ports.fetchText, hostname, challenge, origins),
    () => lookAtMeta(ports.fetchText, hostname, challenge, origins),
    () => lookAtTxt(ports, hostname, challenge),
  ];
  for (const look of places) {
    const sighting = await look();
    saw.push(sighting);
    if (sighting.found) break;
  }
  return saw;
}

async function lookAtFile(
  fetchText: Fetcher,
  hostname: string,
  challenge: string,
  origins: readonly string[],
): Promise<Sighting> {
  const { where, answer } = await fetchFirst(fetchText, origins, WELL_KNOWN_PATH);
  const sighting = (found: boolean, detail: string): Sighting => ({
    method: 'well_known',
    where,
    found,
    detail,
  });
  const trouble = troubleOf(answer, hostname);
  if (trouble !== undefined) return sighting(false, trouble);
  const { finalUrl, body } = answer as Exclude<FetchedText, { failed: true }>;
  // a redirect elsewhere on the host may lead to what a visitor put there
  if (new URL(finalUrl).pathname !== WELL_KNOWN_PATH) return sighting(false, `It redirects to ${finalUrl}.`);
  const lines = body.split(/\r\n|\r|\n/).map((line) => line.trim());
  if (lines.includes(challenge)) return sighting(true, 'The file shows the challenge.');
  return sighting(false, body.trim() === '' ? 'The file is empty.' : `The file says: ${shown(body)}`);
}

async function lookAtMeta(
  fetchText: Fetcher,
  hostname: string,
  challenge: string,
  origins: readonly string[],
): Promise<Sighting> {
  const { where, answer } = await fetchFirst(fetchText, origins, '/');
  const sighting = (found: boolean, detail: string): Sighting => ({
    method: 'meta_tag',
    where,
    found,
    detail,
  });
  const trouble = troubleOf(answer, hostname);
  if (trouble !== undefined) return sighting(false, trouble);
  const contents = metaContents((answer as Exclude<FetchedText, { failed: true }>).body, META_NAME);
  if (contents.includes(challenge)) return sighting(true, 'The page shows the challenge.');
  return contents.length === 0
    ? sighting(false, `The head of the page has no <meta name="${META_NAME}">.`)
    : sighting(false, `The page says: ${contents.map(shown).join(', ')}`);
}

async function lookAtTxt(ports: DomainProofPorts, hostname: string, challenge: string): Promise<Sighting> {
  const where = `${TXT_PREFIX}${hostname}`;
  const sighting = (found: boolean, detail: string): Sighting => ({
    method: 'dns_txt',
    where,
    found,
    detail,
  });
  const answer = await ports.resolveTxt(where);
  if ('failed' in answer) return sighting(false, answer.note);
  if (answer.records.some((record) => record.trim() === challenge)) {
    return sighting(true, 'The TXT record shows the challenge.');
  }
  return answer.records.length === 0
    ? sighting(false, 'There is no TXT record.')
    : sighting(false, `The TXT records say: ${answer.records.slice(0, 5).map(shown).join(', ')}`);
}

/** The answer of the first origin at which somebody answers; of the first, where nobody does. */
async function fetchFirst(fetchText: Fetcher, origins: readonly string[], path: string) {
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

function troubleOf(answer: FetchedText, hostname: string): string | undefined {
  if ('failed' in answer) return answer.note;
  if (hostOf(answer.finalUrl) !== hostname) {
    return `It redirects to another host, ${hostOf(answer.finalUrl) ?? 'which has no name'}; that proves nothing.`;
  }
  return answer.status === 200 ? undefined : `It answers with status ${answer.status}.`;
}

/** A short excerpt of what the host said: hostile text, cut and printable. */
function shown(text: string): string {
  const line = text.trim().slice(0, 100).toWellFormed();
  return JSON.stringify(line.replace(/\p{C}/gu, ' '));
}
