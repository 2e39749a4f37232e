import type { PageReading } from '@touchstone/page';
import type { Database } from '../../platform/database/database.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import { readText } from './page-texts.ts';

/** Characters of JSON of all cached readings. */
const MAX_CHARACTERS = 16_000_000;

/** The reading with this digest; `null`: it is no longer stored. */
export type LoadReading = (digest: Buffer) => Promise<PageReading | null>;

/**
 * Loads the readings to which observations refer, each once for all concurrent callers, so that a heavy page takes as much
 * memory for a thousand callers as for one. The least recently used are removed first.
 */
export function createReadingCache(db: Database, secrets: DatabaseSecrets): LoadReading {
  const known = new Map<string, { readonly reading: Promise<PageReading | null>; size: number }>();
  let total = 0;
  const remove = (key: string) => {
    total -= known.get(key)?.size ?? 0;
    known.delete(key);
  };
  const load = async (digest: Buffer, key: string): Promise<PageReading | null> => {
    const text = await readText(db, secrets, digest);
    const entry = known.get(key);
    if (text === null || entry === undefined) {
      remove(key);
      return text === null ? null : (JSON.parse(text) as PageReading);
    }
    entry.size = text.length;
    total += text.length;
    for (const oldest of known.keys()) {
      if (total <= MAX_CHARACTERS) break;
      remove(oldest);
    }
    return JSON.parse(text) as PageReading;
  };
  return (digest) => {
    const key = digest.toString('base64');
    const entry = known.get(key);
    if (entry !== undefined) {
      known.delete(key);
      known.set(key, entry);
      return entry.reading;
    }
    const reading = load(digest, key);
    known.set(key, { reading, size: 0 });
    // the next attempt may succeed
    reading.catch(() => remove(key));
    return reading;
  };
}
