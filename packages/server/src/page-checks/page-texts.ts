import { createHash } from 'node:crypto';
import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../platform/database/database.ts';

/** A text as it is kept: what pages say is kept once, however many observations and reports say it. */
export interface PageText {
  /** SHA-256 of the text. */
  readonly digest: Buffer;
  /** UTF-8, deflated. */
  readonly body: Buffer;
}

/** Characters; no text that is kept is longer. */
const LONGEST = 64_000_000;

const deflated = promisify(deflateRaw);
const inflated = promisify(inflateRaw);

export async function packText(text: string): Promise<PageText> {
  return { digest: createHash('sha256').update(text).digest(), body: await deflated(text) };
}

/**
 * The statement that keeps a text, for the `with` of the one that refers to it.
 *
 * @param seconds - it is kept at least as long, counted from now
 * @param where - behind what it selects: when it is to be kept
 */
export function keepText(
  { digest, body }: PageText,
  seconds: number,
  where: RawBuilder<unknown>,
): RawBuilder<unknown> {
  // longer by some, so that not every use of a text writes
  const longer = sql`now() + make_interval(secs => ${1.05 * seconds + 60})`;
  return sql`
    insert into page_texts (digest, body, keep_until) select ${digest}::bytea, ${body}::bytea, ${longer} ${where}
    on conflict (digest) do update set keep_until = excluded.keep_until
      where page_texts.keep_until < now() + make_interval(secs => ${seconds})`;
}

/** @returns `null` for one that is kept no more */
export async function readText(db: Database, digest: Buffer): Promise<string | null> {
  const row = await db
    .selectFrom('page_texts')
    .select('body')
    .where('digest', '=', digest)
    .executeTakeFirst();
  if (row === undefined) return null;
  return (await inflated(row.body, { maxOutputLength: LONGEST })).toString('utf8');
}
