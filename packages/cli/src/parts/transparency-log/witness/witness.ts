import {
  COSIGNATURE_ED25519,
  cosign,
  type EndedLog,
  formatNote,
  isLastHead,
  type Note,
  type NoteSignature,
  readCheckpoint,
  type TreeHead,
  type Vkey,
  verifyConsistency,
  verifyNote,
  vkeyOf,
} from '@touchstone/certificate/log';
import { sha256 } from '../verified-tiles.ts';
import { parseAddCheckpoint } from './add-checkpoint.ts';
import type { WitnessKey } from './witness-key.ts';
import type { Cosigned, WitnessState } from './witness-state.ts';

/** An answer of the HTTP interface. */
export interface WitnessAnswer {
  readonly status: number;
  readonly type: string;
  readonly body: string;
  readonly headers?: Readonly<Record<string, string>>;
}

/** A witness, without its HTTP server. */
export interface Witness {
  readonly vkey: Vkey;
  /** @param body - of the request */
  addCheckpoint(body: Uint8Array): Promise<WitnessAnswer>;
  /** @param hash - hex SHA-256 of the log's origin */
  latestCheckpoint(hash: string): Promise<WitnessAnswer>;
  health(): Promise<WitnessAnswer>;
}

/** The logs that a witness observes. */
export interface ObservedLogs {
  /** The keys that are trusted for a log; none: it is not known. */
  keysOf(origin: string): Promise<readonly Vkey[]>;
  /** How a log ended, since its key was revoked. */
  endOf(origin: string): Promise<EndedLog | undefined>;
  originOf(hash: string): Promise<string | undefined>;
  count(): Promise<number>;
}

export interface WitnessOptions {
  readonly key: WitnessKey;
  readonly logs: ObservedLogs;
  readonly state: WitnessState;
  readonly now: () => Date;
  /** Most cosignatures a second for one log, on average; ten times as many at once. */
  readonly perSecond: number;
  /** Told of two checkpoints of one size that the log has signed over different trees. */
  readonly onFork: (origin: string, notes: readonly [string, string]) => Promise<void>;
}

/**
 * Seconds for which an unchanged checkpoint gets the cosignature that it already has. Checkpoints are public: otherwise anybody could have
 * the disk of the witness written to at will.
 */
const REPEATED = 60;

/** Creates a witness as c2sp.org/tlog-witness describes it. */
export async function createWitness(options: WitnessOptions): Promise<Witness> {
  const { key, logs, state, now } = options;
  const vkey = await vkeyOf(key.name, new Uint8Array(key.publicKey), COSIGNATURE_ED25519);
  const rates = new Map<string, Rate>();

  async function addCheckpoint(body: Uint8Array): Promise<WitnessAnswer> {
    const request = parseAddCheckpoint(body);
    if (typeof request === 'string') return plain(400, `${request}\n`);
    const { oldSize, proof, note, checkpoint } = request;
    const { origin, size } = checkpoint;
    const keys = await logs.keysOf(origin);
    if (keys.length === 0) return plain(404, 'This log is not known here.\n');
    const verified = await verifyNote(note, keys);
    if (typeof verified === 'string' || verified.length === 0)
      return plain(403, 'The checkpoint is not signed by a key that is trusted for this log.\n');
    const end = await logs.endOf(origin);
    if (end !== undefined && !isLastHead(end, checkpoint))
      return plain(
        403,
        'This log has ended, for its key was revoked: only its last checkpoint is cosigned.\n',
      );
    if (oldSize > size) return plain(400, 'The old size is larger than the checkpoint.\n');
    const signed = onlySignedBy(
      note,
      Array.from(verified, (one) => one.key),
    );
    for (;;) {
      const latest = readCosigned(await state.latest(origin));
      const from = latest?.head ?? { size: 0, root: sha256(new Uint8Array()) };
      if (oldSize !== from.size) return conflict(from.size);
      if (!(await isConsistent(from, checkpoint, proof))) {
        if (latest !== undefined && size === from.size && !areEqual(from.root, checkpoint.root))
          await options.onFork(origin, [latest.text, formatNote(signed)]);
        return plain(422, 'The checkpoint is not proved to append to the latest one.\n');
      }
      const time = Math.floor(now().getTime() / 1000);
      const kept = latest === undefined ? undefined : cosignatureOf(latest.note, note, vkey, time);
      if (kept !== undefined) return lines([kept]);
      if (!isWithinRate(rates, origin, options.perSecond, now().getTime()))
        return { ...plain(429, 'This log asks too often.\n'), headers: { 'retry-after': '1' } };
      const cosignature = await cosign(note.text, time, {
        ...vkey,
        sign: (data) => new Uint8Array(key.sign(data)),
      });
      const whole = formatNote({ ...signed, signatures: [...signed.signatures, cosignature] });
      // otherwise another request was faster, and this one is judged again after it
      if (await state.commit(origin, latest?.sequence ?? 0, whole)) return lines([cosignature]);
    }
  }

  return {
    vkey,
    addCheckpoint,
    async latestCheckpoint(hash) {
      const origin = await logs.originOf(hash);
      const latest = origin === undefined ? undefined : await state.latest(origin);
      return latest === undefined
        ? plain(404, 'No checkpoint of this log was cosigned.\n')
        : plain(200, latest.note);
    },
    async health() {
      const count = await logs.count();
      return plain(200, `${key.name} observes ${count} log${count === 1 ? '' : 's'}.\n`);
    },
  };
}

interface ReadCosigned {
  readonly sequence: number;
  readonly text: string;
  readonly note: Note;
  readonly head: TreeHead;
}

/** @throws Error if the state is damaged: nothing must be cosigned then */
function readCosigned(cosigned: Cosigned | undefined): ReadCosigned | undefined {
  if (cosigned === undefined) return undefined;
  const { sequence, note: text } = cosigned;
  const read = readCheckpoint(text);
  if (typeof read === 'string')
    throw new Error(`The state of the witness is damaged: checkpoint ${sequence} cannot be read.`);
  return { sequence, text, note: read.note, head: read.checkpoint };
}

async function isConsistent(from: TreeHead, to: TreeHead, proof: readonly Uint8Array[]): Promise<boolean> {
  if (to.size === 0) return proof.length === 0 && areEqual(to.root, sha256(new Uint8Array()));
  // the empty tree is consistent with any
  if (from.size === 0) return proof.length === 0;
  return verifyConsistency(from, to, proof, sha256);
}

function areEqual(a: Uint8Array, b: Uint8Array): boolean {
  return Buffer.compare(a, b) === 0;
}

/** One signature of each of these keys, without what anybody may have added. */
function onlySignedBy({ text, signatures }: Note, keys: readonly Vkey[]): Note {
  return { text, signatures: keys.flatMap((key) => signatures.find((one) => isBy(one, key)) ?? []) };
}

function isBy(one: NoteSignature, { name, keyId }: Vkey): boolean {
  return one.name === name && one.keyId === keyId;
}

/** Our cosignature of the same checkpoint, if it is recent. */
function cosignatureOf(latest: Note, asked: Note, vkey: Vkey, time: number): NoteSignature | undefined {
  if (latest.text !== asked.text) return undefined;
  const own = latest.signatures.find((one) => isBy(one, vkey));
  if (own === undefined) return undefined;
  const made = Number(Buffer.from(own.signature).readBigUInt64BE(0));
  return Math.abs(time - made) < REPEATED ? own : undefined;
}

interface Rate {
  left: number;
  at: number;
}

function isWithinRate(rates: Map<string, Rate>, origin: string, perSecond: number, now: number): boolean {
  const most = 10 * perSecond;
  const rate = rates.get(origin) ?? { left: most, at: now };
  rate.left = Math.min(most, rate.left + (Math.max(0, now - rate.at) * perSecond) / 1000);
  rate.at = now;
  rates.set(origin, rate);
  if (rate.left < 1) return false;
  rate.left -= 1;
  return true;
}

function conflict(size: number): WitnessAnswer {
  return { status: 409, type: 'text/x.tlog.size', body: `${size}\n` };
}

/** Signature lines, as they are in a note. */
function lines(signatures: readonly NoteSignature[]): WitnessAnswer {
  return plain(200, formatNote({ text: '', signatures }).slice(1));
}

/** An answer of plain text. */
export function plain(status: number, body: string): WitnessAnswer {
  return { status, type: 'text/plain; charset=utf-8', body };
}
