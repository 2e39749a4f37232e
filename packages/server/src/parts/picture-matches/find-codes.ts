import { BAND_BITS, BANDS, type CodeQuestion, type PictureQuestion } from '@touchstone/image';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';

/** Bits of 63 by which the codes of copies may differ; measured, see docs/measurements.md. */
export const MAX_DISTANCE = 10;
/** Codes with one band in common that are read at a time, and how often: pictures on white ground share bands. */
const AT_ONCE = 300;
const ROUNDS = 4;

export type CodeKind = 'frame' | 'square';

/** A code in the index that is close to one that was asked about. */
export interface FoundCode {
  /** Which picture asked. */
  readonly picture: number;
  readonly kind: CodeKind;
  /** The number that begins with the first band. */
  readonly code: bigint;
  /** Differing bits. */
  readonly distance: number;
}

export interface FoundCodes {
  /** Each once, the closest first. */
  readonly codes: readonly FoundCode[];
  /** Not all codes with a band in common were read, since there are too many. */
  readonly capped: boolean;
}

/** A range of the index that is read: the codes with these 21 bits in this band. */
interface Probe {
  readonly picture: number;
  readonly kind: CodeKind;
  readonly band: number;
  readonly low: bigint;
  readonly high: bigint;
  readonly asked: bigint;
}

/** Bits behind the first band of a key. */
export const BAND_SHIFT = BigInt(BAND_BITS * (BANDS - 1));
const REST = (1n << BAND_SHIFT) - 1n;
const ALL = (1n << BigInt(BAND_BITS * BANDS)) - 1n;

/**
 * Finds the codes of certified pictures that are close to those of some others: by multi-index hashing (Norouzi, Punjani and Fleet, 2012),
 * with the bits that are least certain asked with both values.
 */
export async function findCodes(
  db: Database,
  questions: readonly (PictureQuestion | null)[],
): Promise<FoundCodes> {
  let probes = questions.flatMap((question, picture) =>
    question === null
      ? []
      : [
          ...probesOf(picture, 'frame', question.frame),
          ...(question.square === undefined ? [] : probesOf(picture, 'square', question.square)),
        ],
  );
  const found = new Map<string, FoundCode>();
  for (let round = 0; round < ROUNDS && probes.length > 0; round += 1) {
    const rows = await readProbes(db, probes);
    const next: Probe[] = [];
    for (const { n, keys, last } of rows) {
      const probe = probes[n];
      if (probe === undefined) continue;
      for (const text of keys ?? []) {
        const key = BigInt(text);
        const { picture, kind, band } = probe;
        const code = fromBand(key, band);
        found.set(`${picture} ${kind} ${code}`, { picture, kind, code, distance: ones(key ^ probe.asked) });
      }
      // behind the last code: however many pictures have that one, it is read once
      if (last !== null && BigInt(last) < probe.high) next.push({ ...probe, low: BigInt(last) + 1n });
    }
    probes = next;
  }
  const codes = [...found.values()].toSorted((a, b) => a.distance - b.distance);
  return { codes, capped: probes.length > 0 };
}

function probesOf(picture: number, kind: CodeKind, { keys, probes }: CodeQuestion): Probe[] {
  return probes.flatMap((values, band) =>
    values.map((value) => {
      const low = BigInt(value) << BAND_SHIFT;
      return { picture, kind, band, low, high: low | REST, asked: keys[band] ?? 0n };
    }),
  );
}

/** The number that begins with the first band, from one that begins with another. */
function fromBand(key: bigint, band: number): bigint {
  const back = BigInt(BAND_BITS * ((BANDS - band) % BANDS));
  return ((key << back) & ALL) | (key >> (BigInt(BAND_BITS * BANDS) - back));
}

export function ones(bits: bigint): number {
  let count = 0;
  for (let left = bits; left > 0n; left &= left - 1n) count += 1;
  return count;
}

interface Row {
  readonly n: number;
  /** Close codes. */
  readonly keys: readonly string[] | null;
  /** The last code read, if there may be more. */
  readonly last: string | null;
}

async function readProbes(db: Database, probes: readonly Probe[]): Promise<readonly Row[]> {
  const numbered = probes.map((probe, n) => ({ ...probe, n }));
  const parts = (['frame', 'square'] as const).flatMap((kind) =>
    Array.from({ length: BANDS }, (_, band) => {
      const own = numbered.filter((probe) => probe.kind === kind && probe.band === band);
      if (own.length === 0) return [];
      const key = sql.ref(`c.${kind}_${band + 1}`);
      const texts = (of: (probe: Probe) => bigint) => own.map((probe) => of(probe).toString());
      return sql`
        select p.n, read.keys::text[] as keys, case when read.seen = ${AT_ONCE} then read.last::text end as last
        from unnest(${own.map(({ n }) => n)}::integer[], ${texts(({ low }) => low)}::bigint[],
          ${texts(({ high }) => high)}::bigint[], ${texts(({ asked }) => asked)}::bigint[]) as p (n, low, high, asked)
        cross join lateral (
          select array_agg(distinct k) filter (where bit_count((k # p.asked)::bit(64)) <= ${MAX_DISTANCE}) as keys,
            count(*) as seen, max(k) as last
          from (select ${key} as k from picture_codes c where ${key} between p.low and p.high
            order by ${key} limit ${AT_ONCE}) codes) read
        where read.keys is not null or read.seen = ${AT_ONCE}`;
    }).flat(),
  );
  const { rows } = await sql<Row>`${sql.join(parts, sql` union all `)}`.execute(db);
  return rows;
}
