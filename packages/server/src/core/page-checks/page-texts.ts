import { promisify } from 'node:util';
import { deflateRaw, inflateRaw } from 'node:zlib';
import { type RawBuilder, sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import type { DatabaseSecrets } from '../../platform/secrets/database-secrets.ts';

/** A stored text: stored once, however many observations and reports contain it. */
export interface PageText {
  /** Keyed hash of the text. */
  readonly digest: Buffer;
  /** UTF-8, deflated, encrypted. */
  readonly body: Buffer;
}

/** Bytes of a text when inflated. */
const MAX_BYTES = 64_000_000;

const deflate = promisify(deflateRaw);
const inflate = promisify(inflateRaw);

export async function packText({ hash, seal }: DatabaseSecrets, text: string): Promise<PageText> {
  const digest = hash('page texts', text);
  return { digest, body: seal.seal(sealedAs(digest), await deflate(text)) };
}

const sealedAs = (digest: Buffer) => `page text ${digest.toString('hex')}`;

/**
 * A statement that stores a text, for the `with` of the statement that refers to it.
 *
 * @param seconds - the text is kept at least as long, from now
 * @param where - the condition under which the text is stored, as the end of a `select`
 */
export function keepText(
  { digest, body }: PageText,
  seconds: number,
  where: RawBuilder<unknown>,
): RawBuilder<unknown> {
  // a little longer, so that not every use of a text writes
  const longer = sql`now() + make_interval(secs => ${1.05 * seconds + 60})`;
  return sql`
    insert into page_texts (digest, body, keep_until) select ${digest}::bytea, ${body}::bytea, ${longer} ${where}
    on conflict (digest) do update set keep_until = excluded.keep_until
      where page_texts.keep_until < now() + make_interval(secs => ${seconds})`;
}

/** @returns `null`: it is no longer stored */
export async function readText(
  db: Database,
  { seal }: DatabaseSecrets,
  digest: Buffer,
): Promise<string | null> {
  const row = await db
    .selectFrom('page_texts')
    .select('body')
    .where('digest', '=', digest)
    .executeTakeFirst();
  if (row === undefined) return null;
  const deflated = seal.open(sealedAs(digest), row.body);
  return (await inflate(deflated, { maxOutputLength: MAX_BYTES })).toString('utf8');
}
