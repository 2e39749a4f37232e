import { isStatusListUri, readStatusList } from '@touchstone/certificate/withdrawal';
import type { BlobStore } from '../../core/images/blobs/blob-store.ts';
import type { SigningKeys } from '../../core/keys/open-proof-keys.ts';
import type { Entries } from './entries.ts';

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
  /** The numbers of all lists, those included that a restored database does not know; `null`: they were never written here. */
  readIndex(): Promise<readonly number[] | null>;
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
      return text === null ? null : (JSON.parse(text) as number[]);
    },
    writeIndex: (listIds) => blobs.replace(INDEX, Buffer.from(JSON.stringify(listIds))),
  };
}

/** Why a token is not used. */
export class TokenRefused extends Error {
  override readonly name = 'TokenRefused';
}

/** What is done for a token that is not used. Throws any other error, such as of keys that cannot be read. */
export const ifRefused =
  <T>(result: (refused: TokenRefused) => T) =>
  (error: unknown): T => {
    if (error instanceof TokenRefused) return result(error);
    throw error;
  };

/**
 * Reads a token that this service has published, whenever that was.
 *
 * @throws TokenRefused if none of our keys of status lists has signed it
 */
export async function readOwnToken(
  token: string,
  keys: Pick<SigningKeys, 'verifierOf'>,
  baseUrls: readonly string[],
): Promise<ReadToken> {
  const { kid } = jsonIn(token, 0);
  const { sub, iat } = jsonIn(token, 1);
  const keySet = typeof kid === 'string' ? await keys.verifierOf(kid) : null;
  if (keySet === null) throw new TokenRefused('none of our keys of status lists has signed it');
  const baseUrl = baseUrls.find((base) => isStatusListUri(String(sub), base));
  if (baseUrl === undefined) throw new TokenRefused(`${String(sub)} is no list of this service`);
  const issuedAt = new Date(Number(iat) * 1000);
  // as on the day of its issue: an old one may be all that is left
  const list = await readStatusList(token, { keySet, uri: String(sub), now: issuedAt });
  if (typeof list === 'string') throw new TokenRefused(list);
  const listId = Number(list.uri.slice(list.uri.lastIndexOf('/') + 1));
  const { entries, revokedKids } = list;
  return { listId, baseUrl, issuedAt, revokedKids: [...revokedKids], entries };
}

/** A part of a token, of which nothing is known yet. */
function jsonIn(token: string, nth: number): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(
      Buffer.from(token.split('.', 2)[nth] ?? '', 'base64url').toString('utf8'),
    );
    if (typeof value === 'object' && value !== null) return value as Readonly<Record<string, unknown>>;
  } catch {
    // told below
  }
  throw new TokenRefused('a part of it is no JSON object');
}
