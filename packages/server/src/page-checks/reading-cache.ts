import type { PageReading } from '@touchstone/page';
import type { Database } from '../platform/database/database.ts';
import { readText } from './page-texts.ts';

/** Characters of JSON of all readings in memory. */
const MAX_CHARACTERS = 16_000_000;

/** The reading with this digest; `null` for one that is kept no more. */
export type LoadReading = (digest: Buffer) => Promise<PageReading | null>;

/**
 * Loads readings that observations refer to, each once however many callers ask for it: in memory, a heavy page takes as
 * much for a thousand callers as for one. The ones used last stay.
 */
export function createReadingCache(db: Database): LoadReading {
  const known = new Map<string, { readonly reading: Promise<PageReading | null>; size: number }>();
  let total = 0;
  const forget = (key: string) => {
    total -= known.get(key)?.size ?? 0;
    known.delete(key);
  };
  const load = async (digest: Buffer, key: string): Promise<PageReading | null> => {
    const text = await readText(db, digest);
    const entry = known.get(key);
    if (text === null || entry === undefined) {
      forget(key);
      return text === null ? null : (JSON.parse(text) as PageReading);
    }
    entry.size = text.length;
    total += text.length;
    for (const oldest of known.keys()) {
      if (total <= MAX_CHARACTERS) break;
      forget(oldest);
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
    // that the database is not reachable says nothing of the next attempt
    reading.catch(() => forget(key));
    return reading;
  };
}
