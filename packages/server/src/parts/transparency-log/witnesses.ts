import { readFile } from 'node:fs/promises';
import {
  consistencyFromTiles,
  formatNote,
  type PolicyWitness,
  parseNote,
  parsePolicy,
  quorumMet,
  verifyNote,
} from '@touchstone/certificate/log';
import type { ApiClient } from '@touchstone/fetch';
import { sql } from 'kysely';
import type { Database } from '../../platform/database/database.ts';
import { StartError } from '../../platform/lifecycle/start-error.ts';
import { type LogPolicy, NO_WITNESSES } from './get-log.ts';
import { sha256 } from './sha256.ts';
import { readShard, type Shard, type ShardId, shardName } from './shards.ts';
import type { TileStore } from './tile-store.ts';

/**
 * Reads the policy file of the settings.
 *
 * @throws StartError if it is no tlog-policy
 */
export async function readPolicyFile(path: string | undefined): Promise<LogPolicy> {
  if (path === undefined) return NO_WITNESSES;
  const text = await readFile(path, 'utf8').catch((cause: unknown) => {
    throw new StartError(`TOUCHSTONE_LOG_POLICY (${path}) cannot be read: ${String(cause)}`, { cause });
  });
  const policy = await parsePolicy(text);
  if ('fault' in policy) {
    const where = policy.line === undefined ? '' : `, line ${policy.line}`;
    throw new StartError(`TOUCHSTONE_LOG_POLICY (${path}${where}) is no tlog-policy: ${policy.fault}.`);
  }
  const lines = text.split('\n').map((line) => line.trim());
  return { ...policy, lines: lines.filter((line) => /^(?:witness|group|quorum)\s/.test(line)) };
}

export interface WitnessOptions {
  readonly db: Database;
  readonly policy: LogPolicy;
  readonly client: ApiClient;
  readonly storeOf: (name: string) => TileStore;
  /** Called for each answer, by its status, or `none`. */
  readonly onAnswer: (answer: string) => void;
}

export interface Witnesses {
  /** Asks the witnesses that have not cosigned the last checkpoint of the log and were not asked a moment ago. Resolves when all have answered. */
  ask(id: ShardId): Promise<void>;
}

/** Seconds between two requests to a witness, and after one that came to nothing. */
const PAUSE = { asked: 1, failed: 10 };
/** Milliseconds that a witness has to answer. */
const PATIENCE = 10_000;
/** Bytes of an answer that are looked at. */
const MOST_BYTES = 16_384;

/** A checkpoint, and the cosignatures of it that have come so far. */
interface Round {
  readonly shard: Shard & { readonly checkpoint: string };
  /** Note signature lines by the name of the witness in the policy. */
  readonly lines: Map<string, string>;
}

/** The client of C2SP tlog-witness. */
export function createWitnesses(options: WitnessOptions): Witnesses {
  const { db, policy } = options;
  const asked = policy.witnesses.filter(({ url }) => url !== undefined);
  /** Those that have not answered yet, and are not asked again until then. */
  const pending = new Set<string>();
  return {
    async ask(id) {
      const shard = await readShard(db, id);
      if (shard === undefined || shard.checkpoint === null || asked.length === 0) return;
      const round: Round = {
        shard: { ...shard, checkpoint: shard.checkpoint },
        lines: knownLines(shard, policy),
      };
      const free = asked.filter(({ name }) => !pending.has(`${shardName(id)} ${name}`));
      const due = await takeDue(db, shard, free);
      await Promise.all(
        due.map(async ({ witness, size }) => {
          const key = `${shardName(id)} ${witness.name}`;
          pending.add(key);
          const line = await cosignature(options, round, witness, size).finally(() => pending.delete(key));
          if (line === null) return;
          round.lines.set(witness.name, line);
          await keepCosignatures(db, round, policy);
        }),
      );
    },
  };
}

/** The cosignatures that are kept of the last checkpoint. */
function knownLines({ cosignatures }: Shard, { witnesses }: LogPolicy): Map<string, string> {
  const lines = cosignatures.split('\n').filter((line) => line !== '');
  return new Map(
    witnesses.flatMap(({ name, key }) => {
      const line = lines.find((one) => one.startsWith(`— ${key.name} `));
      return line === undefined ? [] : [[name, `${line}\n`] as const];
    }),
  );
}

interface Due {
  readonly witness: PolicyWitness;
  /** Leaves of the checkpoint that it cosigned last. */
  readonly size: number;
}

/** Whoever writes the time asks: no two nodes ask a witness at a time. */
async function takeDue(
  db: Database,
  { year, number, size }: Shard,
  witnesses: readonly PolicyWitness[],
): Promise<Due[]> {
  const names = witnesses.map(({ name }) => name);
  await sql`insert into log_witnesses (year, number, name)
    select ${year}::integer, ${number}::integer, unnest(${names}::text[]) on conflict do nothing`.execute(db);
  const { rows } = await sql<{ name: string; size: number }>`
    update log_witnesses set asked_at = now()
    where year = ${year}::integer and number = ${number}::integer and name = any(${names}::text[]) and (size <> ${size}::bigint or cosigned_at is null)
      and (asked_at is null or asked_at > now() or asked_at <= now() - make_interval(secs =>
        case when answer is null or answer = '200' then ${PAUSE.asked}::float8 else ${PAUSE.failed}::float8 end))
    returning name, size::float8 as size`.execute(db);
  return rows.flatMap(({ name, size: known }) => {
    const witness = witnesses.find((one) => one.name === name);
    return witness === undefined ? [] : [{ witness, size: known }];
  });
}

/** @returns the line of its cosignature; `null`: it gave none that is valid */
async function cosignature(
  options: WitnessOptions,
  round: Round,
  witness: PolicyWitness,
  known: number,
): Promise<string | null> {
  let size = known;
  // it may know an older checkpoint than we think, or a newer one
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const answer = await addCheckpoint(options, round, witness, size);
    options.onAnswer(answer.status);
    if (answer.conflict !== undefined && attempt === 0 && answer.conflict <= round.shard.size) {
      size = answer.conflict;
      continue;
    }
    await noteAnswer(options.db, round.shard, witness, answer);
    return answer.line ?? null;
  }
  return null;
}

interface Answer {
  /** Of HTTP, or why there was none. */
  readonly status: string;
  readonly line?: string;
  /** The size of the checkpoint that the witness has. */
  readonly conflict?: number;
}

async function addCheckpoint(
  { client, storeOf }: WitnessOptions,
  { shard }: Round,
  { url = '', key }: PolicyWitness,
  old: number,
): Promise<Answer> {
  const { size, checkpoint } = shard;
  const proof =
    old === 0 || old >= size ? [] : await consistencyFromTiles(storeOf(shardName(shard)), old, size, sha256);
  const lines = [`old ${old}`, ...proof.map((hash) => Buffer.from(hash).toString('base64'))];
  const result = await client
    .request(`${url.replace(/\/+$/, '')}/add-checkpoint`, {
      method: 'POST',
      headers: { 'content-type': 'text/plain; charset=utf-8' },
      body: Buffer.from(`${lines.join('\n')}\n\n${checkpoint}`),
      signal: AbortSignal.timeout(PATIENCE),
    })
    .catch(() => null);
  if (result === null || result.kind === 'failed')
    return { status: result?.kind === 'failed' ? result.code : 'no answer' };
  const text = Buffer.from(result.body.subarray(0, MOST_BYTES)).toString('utf8');
  const status = String(result.status);
  if (result.status === 409) {
    const conflict = /^(?:0|[1-9]\d{0,15})\n$/.test(text) ? Number(text) : undefined;
    if (conflict !== undefined && conflict > size)
      return { status: `409: it has cosigned ${conflict} leaves, more than this log has` };
    return { status, ...(conflict === undefined || conflict === old ? {} : { conflict }) };
  }
  if (result.status !== 200) return { status };
  const note = parseNote(checkpoint + text);
  // what is signed ends at the last empty line: a witness that adds one would have its signature cover ours, and be valid for no reader
  if (typeof note === 'string' || !checkpoint.startsWith(`${note.text}\n`))
    return { status: '200, but no cosignature' };
  const own = note.signatures.filter(({ name, keyId }) => name === key.name && keyId === key.keyId);
  const verified = await verifyNote({ text: note.text, signatures: own }, [key]);
  if (typeof verified === 'string' || verified.length === 0)
    return { status: '200, but its cosignature is invalid' };
  const [signature] = own;
  const formatted = formatNote({ text: note.text, signatures: signature === undefined ? [] : [signature] });
  return { status, line: formatted.slice(note.text.length + 1) };
}

async function noteAnswer(
  db: Database,
  { year, number, size }: Shard,
  { name }: PolicyWitness,
  { status, line }: Answer,
): Promise<void> {
  await sql`
    update log_witnesses set answer = ${status},
      size = case when ${line !== undefined} then ${size}::bigint else size end,
      cosigned_at = case when ${line !== undefined} then now() else cosigned_at end
    where year = ${year}::integer and number = ${number}::integer and name = ${name}`.execute(db);
}

/** Keeps the cosignatures with the checkpoint if that is still the last, and the checkpoint if it has the quorum. */
async function keepCosignatures(db: Database, { shard, lines }: Round, policy: LogPolicy): Promise<void> {
  const text = [...lines.values()].join('');
  const isWitnessed = policy.quorum !== undefined && quorumMet(policy, new Set(lines.keys()));
  await sql`
    update log_shards set
      cosignatures = case when size = ${shard.size}::bigint then ${text} else cosignatures end,
      witnessed = case when ${isWitnessed} and witnessed_size <= ${shard.size}::bigint then ${shard.checkpoint + text} else witnessed end,
      witnessed_size = case when ${isWitnessed} then greatest(witnessed_size, ${shard.size}::bigint) else witnessed_size end
    where year = ${shard.year}::integer and number = ${shard.number}::integer`.execute(db);
}
