import type { BlobStore } from '../../core/images/blobs/blob-store.ts';
import type { SigningKeys } from '../../core/keys/open-proof-keys.ts';
import { decompressEntries, type Entries } from './entries.ts';
import { STATUS_LIST_TYP } from './token.ts';

/** A token that one of our keys has signed. */
export interface ReadToken {
  readonly listId: number;
  readonly baseUrl: string;
  readonly issuedAt: Date;
  readonly revokedKids: readonly string[];
  readonly entries: Entries;
}

/** The last published token of each list outside of the database, from which a restored one learns what it has missed. */
export interface ListCopies {
  put(listId: number, token: string): Promise<void>;
  remove(listId: number): Promise<void>;
  /** The text of a copy; `null`: there is none. */
  read(listId: number): Promise<string | null>;
  /** The numbers of all lists, those included that a restored database does not know. */
  readIndex(): Promise<readonly number[]>;
  writeIndex(listIds: readonly number[]): Promise<void>;
}

const keyOf = (listId: number) => `status-list-${listId}.jwt`;
const INDEX = 'status-lists.json';

export function createListCopies(blobs: BlobStore): ListCopies {
  const readText = async (key: string) => {
    if ((await blobs.size(key)) === null) return null;
    const pieces: Uint8Array[] = [];
    for await (const piece of blobs.read(key)) pieces.push(piece);
    return Buffer.concat(pieces).toString('utf8');
  };
  return {
    put: (listId, token) => blobs.replace(keyOf(listId), Buffer.from(token)),
    remove: (listId) => blobs.remove(keyOf(listId)),
    read: (listId) => readText(keyOf(listId)),
    async readIndex() {
      const text = await readText(INDEX);
      return text === null ? [] : (JSON.parse(text) as number[]);
    },
    writeIndex: (listIds) => blobs.replace(INDEX, Buffer.from(JSON.stringify(listIds))),
  };
}

/** Why a token is not used. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}

/**
 * Reads a token that this service has published, whenever that was.
 *
 * @throws TokenRefused if none of our keys of status lists has signed it
 */
export async function readOwnToken(
  token: string,
  keys: Pick<SigningKeys, 'verifierOf' | 'verify'>,
  baseUrls: readonly string[],
): Promise<ReadToken> {
  const [header, payload, signature, ...rest] = token.trim().split('.');
  if (header === undefined || payload === undefined || signature === undefined || rest.length > 0)
    throw new TokenRefused('it is no compact JWS');
  const { alg, kid, typ } = jsonIn(header);
  if (alg !== 'RS256' || typ !== STATUS_LIST_TYP || typeof kid !== 'string')
    throw new TokenRefused('it is no token of a status list');
  const jwk = (await keys.verifierOf(kid))?.find(kid);
  if (typeof jwk !== 'object') throw new TokenRefused(`no key of our status lists is ${kid}`);
  const signed = Buffer.from(signature, 'base64url');
  // a second spelling of the same signature is another token
  const isExact = signed.toString('base64url') === signature;
  const data = new TextEncoder().encode(`${header}.${payload}`);
  if (!isExact || !(await keys.verify(jwk, new Uint8Array(signed), data)))
    throw new TokenRefused('its signature is not valid');
  const { sub, iat, status_list: list, revoked_kids: revokedKids } = jsonIn(payload);
  const [, baseUrl, id] = /^(.*)\/api\/v1\/mc4p\/status\/([1-9]\d{0,9})$/.exec(String(sub)) ?? [];
  const { bits, lst } = (list ?? {}) as { bits?: unknown; lst?: unknown };
  if (baseUrl === undefined || !baseUrls.includes(baseUrl) || bits !== 2 || typeof lst !== 'string')
    throw new TokenRefused(`${String(sub)} is no list of this service`);
  return {
    listId: Number(id),
    baseUrl,
    issuedAt: new Date(Number(iat) * 1000),
    revokedKids: Array.isArray(revokedKids) ? revokedKids.map(String) : [],
    entries: await decompressEntries(Buffer.from(lst, 'base64url')),
  };
}

function jsonIn(part: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(Buffer.from(part, 'base64url').toString('utf8'));
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch {
    // told below
  }
  throw new TokenRefused('a part of it is no JSON object');
}
