import type { HashBytes } from '../log/bytes.ts';
import { formatCheckpoint } from '../log/checkpoint.ts';
import { cosign } from '../log/cosignature.ts';
import { encodeLeaf, type ProofLeaf, saltedHash } from '../log/leaf.ts';
import { formatLogProof } from '../log/log-proof.ts';
import { leafHash } from '../log/merkle.ts';
import { formatNote, type Note, parseNote, signNote } from '../log/signed-note.ts';
import { inclusionFromTiles } from '../log/tile-proofs.ts';
import { encodeEntries, encodeTilePath, TILE_WIDTH, type TileReader } from '../log/tiles.ts';
import { createTree } from '../log/tree.ts';
import { COSIGNATURE_ED25519, ED25519, formatVkey, type NoteSigner, vkeyOf } from '../log/vkey.ts';
import { encodeBase64url } from '../proof/base64url.ts';
import { readProof } from '../proof/compact-jws.ts';
import { PROOF_TYP, type ProofKind } from '../proof/proof-rules.ts';

/** The log of the test issuer for the year of its proofs. */
export const TEST_LOG = 'certificates.example/api/v1/mc4p/log/2026';

/** A key of a test log or witness. */
export interface TestNoteKey {
  readonly vkey: string;
  readonly signer: NoteSigner;
}

/** A transparency log in memory, with witnesses. */
export interface TestLog {
  readonly origin: string;
  readonly key: TestNoteKey;
  readonly witnesses: readonly TestNoteKey[];
  /** Reads its tiles. */
  readonly reader: TileReader;
  readonly size: number;
  /** A policy of this log and its witnesses, which are called `w1`, `w2`, …; the group `two` are any two of them. */
  policy(quorum: string): string;
  /** Logs a proof; members of the leaf may be changed. Returns its index. */
  add(jwt: string, changes?: { readonly [Name in keyof ProofLeaf]?: ProofLeaf[Name] | undefined }): number;
  /** Logs any bytes. */
  addEntry(entry: Uint8Array): number;
  /** A signed checkpoint of the present tree, cosigned by witnesses of these numbers, from 1. */
  checkpoint(witnesses?: readonly number[]): Promise<string>;
  /** The tlog-proof of an entry, by a checkpoint of the present tree. */
  proofOf(index: number, checkpoint: string): Promise<string>;
}

/**
 * A fresh Ed25519 key for notes.
 *
 * @param type - default: Ed25519; or `COSIGNATURE_ED25519`
 */
async function testNoteKey(name: string, type: number = ED25519): Promise<TestNoteKey> {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair;
  const publicKey = new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey));
  const key = await vkeyOf(name, publicKey, type);
  const sign: NoteSigner['sign'] = async (data) =>
    new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, data));
  return { vkey: formatVkey(key), signer: { name, keyId: key.keyId, sign } };
}

/**
 * Creates a log in memory with three witnesses.
 *
 * @param hash - SHA-256, at once
 * @param ownKey - default: a fresh one
 * @example
 * ```ts
 * import { createHash } from 'node:crypto';
 * import { createTestLog } from '@touchstone/certificate/testing';
 *
 * const log = await createTestLog((bytes) => new Uint8Array(createHash('sha256').update(bytes).digest()));
 * log.addEntry(new Uint8Array([1])); // 0
 * ```
 */
export async function createTestLog(
  hash: HashBytes,
  origin: string = TEST_LOG,
  ownKey?: TestNoteKey,
): Promise<TestLog> {
  const key = ownKey ?? (await testNoteKey(origin));
  const witnesses = await Promise.all(
    [1, 2, 3].map((number) => testNoteKey(`w${number}.example`, COSIGNATURE_ED25519)),
  );
  const tree = createTree(hash);
  const full = new Map<string, Uint8Array>();
  const entries: Uint8Array[] = [];
  const reader: TileReader = {
    async tile(level, n, width) {
      const partial = tree.partialTiles().find((one) => one.level === level && one.n === n);
      const bytes = full.get(encodeTilePath({ level, n, width: TILE_WIDTH })) ?? partial?.bytes;
      if (bytes === undefined) throw new Error(`there is no tile ${n} of level ${level}`);
      return bytes.slice(0, width * 32);
    },
    entries: async (n, width) => encodeEntries(entries.slice(n * TILE_WIDTH, n * TILE_WIDTH + width)),
  };
  const addEntry = (entry: Uint8Array) => {
    entries.push(entry);
    for (const { bytes, ...tile } of tree.append(leafHash(entry, hash)))
      full.set(encodeTilePath(tile), bytes);
    return tree.size - 1;
  };
  return {
    origin,
    key,
    witnesses,
    reader,
    get size() {
      return tree.size;
    },
    policy: (quorum) =>
      [
        `log ${key.vkey}`,
        ...witnesses.map(({ vkey }, at) => `witness w${at + 1} ${vkey}`),
        'group two 2 w1 w2 w3',
        `quorum ${quorum}\n`,
      ].join('\n'),
    add: (jwt, changes) => addEntry(encodeLeaf({ ...testLeaf(jwt, hash), ...changes } as ProofLeaf)),
    addEntry,
    async checkpoint(numbers = []) {
      const text = formatCheckpoint({ origin, size: tree.size, root: tree.root(), extensions: [] });
      const note = parseNote(await signNote(text, key.signer)) as Note;
      const cosigning = witnesses.filter((_, at) => numbers.includes(at + 1));
      const cosigned = await Promise.all(
        cosigning.map(({ signer }, at) => cosign(text, 1_772_366_400 + at, signer)),
      );
      return formatNote({ text, signatures: [...note.signatures, ...cosigned] });
    },
    async proofOf(index, checkpoint) {
      const hashes = await inclusionFromTiles(reader, index, tree.size, hash);
      const extra = new Uint8Array(entries[index] as Uint8Array);
      return formatLogProof({ extra, index, hashes, checkpoint });
    },
  };
}

/** The leaf of a proof, with a salt of zeros. */
function testLeaf(jwt: string, hash: HashBytes): ProofLeaf {
  const { claims, jws, typ } = readProof(jwt);
  const { domain, iat, exp, productId, assetId, imageId } = claims as Readonly<Record<string, unknown>>;
  const kinds = Object.keys(PROOF_TYP) as ProofKind[];
  const kind = kinds.find((one) => PROOF_TYP[one] === typ) as ProofKind;
  const id = String({ product: productId, asset: assetId, image: imageId }[kind]);
  return {
    kind,
    domain: String(domain),
    iat: Number(iat),
    exp: Number(exp),
    kid: jws?.kid ?? '',
    proof: encodeBase64url(hash(new TextEncoder().encode(jwt))),
    subject: encodeBase64url(saltedHash(new Uint8Array(16), kind, id, hash)),
  };
}
