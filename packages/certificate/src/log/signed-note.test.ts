import { beforeAll, describe, expect, it } from 'vitest';
import { formatCheckpoint, parseCheckpoint } from './checkpoint.ts';
import { cosign } from './cosignature.ts';
import { encodeLeaf, parseLeaf } from './leaf.ts';
import { formatLogProof, parseLogProof } from './log-proof.ts';
import { formatNote, type Note, parseNote, signNote, verifyNote } from './signed-note.ts';
import { COSIGNATURE_ED25519, ED25519, formatVkey, parseVkey, type Vkey, vkeyOf } from './vkey.ts';

/** The example of signed-note. */
const EXAMPLE_KEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
const EXAMPLE = `This is an example message.

— example.com/foo Uw2QOkn8srV1yJGh2VYRlL1Tnagv1YEq6TfXppzi2ONncAlTgK7Ztg1ERYNZXsYjOBH3mFXmRKuwHjG1Yu72IneyaQM=
`;

async function signerOf(name: string, type: number) {
  const pair = (await crypto.subtle.generateKey('Ed25519', true, ['sign', 'verify'])) as CryptoKeyPair;
  const key = await vkeyOf(name, new Uint8Array(await crypto.subtle.exportKey('raw', pair.publicKey)), type);
  const sign = async (data: Uint8Array<ArrayBuffer>) =>
    new Uint8Array(await crypto.subtle.sign('Ed25519', pair.privateKey, data));
  return { key, signer: { name, keyId: key.keyId, sign } };
}

const hashesOf = (length: number) => Array.from({ length }, () => new Uint8Array(32));
const noteOf = (text: string) => parseNote(text) as Note;
const TEXT = formatCheckpoint({ origin: 'log.example', size: 5, root: new Uint8Array(32), extensions: [] });

describe('a note', () => {
  let example: Vkey;
  beforeAll(async () => {
    example = (await parseVkey(EXAMPLE_KEY)) as Vkey;
  });

  it('of signed-note itself is read, verified and written the same', async () => {
    expect(formatVkey(example)).toBe(EXAMPLE_KEY);
    expect(await verifyNote(noteOf(EXAMPLE), [example])).toEqual([{ key: example }]);
    expect(formatNote(noteOf(EXAMPLE))).toBe(EXAMPLE);
  });

  it('does not count as a whole if the signature of a known key is wrong, and ignores all others', async () => {
    const log = await signerOf('log.example', ED25519);
    const note = await signNote(TEXT, log.signer);
    const both = `${note}${EXAMPLE.split('\n\n')[1]}`;
    expect(await verifyNote(noteOf(both), [log.key])).toEqual([{ key: log.key }]);
    expect(await verifyNote(noteOf(both), [log.key, example])).toBe('note_signature_invalid');
    expect(await verifyNote(noteOf(both), [{ ...log.key, keyId: 1 }])).toEqual([]);
    expect(await verifyNote(noteOf(both), [{ ...log.key, type: 0xff }])).toEqual([]);
  });

  it('tells when a witness cosigned it, and takes no signature of one kind for the other', async () => {
    const witness = await signerOf('w.example', COSIGNATURE_ED25519);
    const log = await signerOf('log.example', ED25519);
    const line = await cosign(TEXT, 1_800_000_000, witness.signer);
    const cosigned = noteOf(await signNote(TEXT, log.signer));
    const note = { ...cosigned, signatures: [...cosigned.signatures, line] };
    const again = noteOf(formatNote(note));
    expect(await verifyNote(again, [log.key, witness.key])).toEqual([
      { key: log.key },
      { key: witness.key, timestamp: 1_800_000_000 },
    ]);
    // the same bytes under the other type of signature
    for (const type of [ED25519, COSIGNATURE_ED25519])
      for (const { key } of [log, witness])
        if (key.type !== type)
          expect(await verifyNote(again, [{ ...key, type }])).toBe('note_signature_invalid');
    const later = { ...line, signature: line.signature.map((byte, at) => (at === 7 ? byte + 1 : byte)) };
    expect(await verifyNote({ ...note, signatures: [later] }, [witness.key])).toBe('note_signature_invalid');
  });

  it('has limits, and no half of a character', () => {
    const line = EXAMPLE.split('\n\n')[1] as string;
    expect(parseNote(EXAMPLE.replace('message', 'mess\ud800age'))).toBe('note_malformed');
    expect(parseNote(`text\n\n${line.repeat(100)}`)).toMatchObject({ signatures: { length: 100 } });
    expect(parseNote(`text\n\n${line.repeat(101)}`)).toBe('note_too_large');
    expect(parseNote(`${'é'.repeat(33_000)}\n\n${line}`)).toBe('note_too_large');
  });

  it('is not made of a text that no reader would accept', async () => {
    const { signer } = await signerOf('log.example', ED25519);
    for (const text of ['no newline', 'tab\t\n'])
      await expect(signNote(text, signer)).rejects.toThrow(TypeError);
    await expect(signNote('text\n')).rejects.toThrow(TypeError);
    await expect(vkeyOf('a b', new Uint8Array(32))).rejects.toThrow(TypeError);
  });
});

it('a vkey is read only with the id that follows from its name and key', async () => {
  const wrong = [
    EXAMPLE_KEY.replace('530d903a', '530d903b'),
    EXAMPLE_KEY.replace('530d903a', '530D903A'),
    EXAMPLE_KEY.replace('foo', 'bar'),
    EXAMPLE_KEY.slice(0, -4),
    EXAMPLE_KEY.replace('example.com/foo', ''),
    'a+00000000+',
    '',
  ];
  for (const text of wrong) expect([text, await parseVkey(text)]).toEqual([text, null]);
});

it('a checkpoint is read and written the same', () => {
  const root = 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=';
  const good = `example.com/behind-the-sofa\n20852163\n${root}\n`;
  const checkpoint = parseCheckpoint(good);
  expect(checkpoint).toMatchObject({
    origin: 'example.com/behind-the-sofa',
    size: 20_852_163,
    extensions: [],
  });
  if (checkpoint !== 'checkpoint_malformed') expect(formatCheckpoint(checkpoint)).toBe(good);
  expect(parseCheckpoint(`${good}more\n`)).toMatchObject({ extensions: ['more'] });
  expect(parseCheckpoint(good.replace('20852163', '9007199254740992'))).toBe('checkpoint_malformed');
});

it('a proof of inclusion is read and written the same, within its limits', () => {
  const checkpoint = `${TEXT}\n— log.example AAAAAAA=\n`;
  const proof = { extra: Uint8Array.of(1), index: 3, hashes: [new Uint8Array(32)], checkpoint };
  const text = formatLogProof(proof);
  expect(parseLogProof(text)).toEqual(proof);
  const { extra: _, ...bare } = proof;
  expect(parseLogProof(formatLogProof({ ...bare, hashes: [] }))).toEqual({ ...bare, hashes: [] });
  expect(parseLogProof(formatLogProof({ ...bare, hashes: hashesOf(64) }))).toMatchObject({ index: 3 });
  expect(parseLogProof(formatLogProof({ ...proof, hashes: hashesOf(65) }))).toBe('log_proof_malformed');
  expect(parseLogProof(formatLogProof({ ...proof, checkpoint: 'x'.repeat(300_000) }))).toBe(
    'log_proof_malformed',
  );
});

it('a leaf holds what the log may say about a proof, in canonical JSON, and nothing else', () => {
  const hash = 'A'.repeat(43);
  const leaf = {
    kind: 'asset',
    domain: 'shop.example',
    iat: 5,
    exp: 6,
    kid: 'k',
    proof: hash,
    subject: hash,
  } as const;
  const text = `{"domain":"shop.example","exp":6,"iat":5,"kid":"k","kind":"asset","proof":"${hash}","subject":"${hash}","v":1}`;
  expect(new TextDecoder().decode(encodeLeaf(leaf))).toBe(text);
  const { domain: _, ...hidden } = { ...leaf, domainHash: hash };
  expect(parseLeaf(encodeLeaf(hidden))).toEqual(hidden);
  const read = (one: string) => parseLeaf(new TextEncoder().encode(one));
  expect(read(text)).toEqual(leaf);
  const opaque = [
    '',
    'null',
    text.replace('"v":1', '"v":2'),
    text.replace('asset', 'anchor'),
    text.replace(',"exp"', ', "exp"'),
    text.replace('"v":1', '"v":1,"x":1'),
    text.replace('"domain":"shop.example",', ''),
    text.replace('"exp"', `"domainHash":"${hash}","exp"`),
    text.replace('"exp":6', '"exp":6.5'),
    text.replace('"exp":6', '"exp":6.0'),
    text.replace(hash, 'short'),
    text.replace('"k"', `"${'k'.repeat(1000)}"`),
  ];
  for (const one of opaque) expect([one, read(one)]).toEqual([one, null]);
  expect(() => encodeLeaf({ ...leaf, kid: '' })).toThrow(TypeError);
});
