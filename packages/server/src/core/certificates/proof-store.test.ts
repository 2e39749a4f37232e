import { randomBytes, randomUUID } from 'node:crypto';
import { type ProductSnapshot, verifyProof } from '@touchstone/certificate';
import type { Signer } from '@touchstone/certificate/issue';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { type TestDatabase, testDatabase } from '../../platform/database/testing.ts';
import { createDatabaseSecrets } from '../../platform/secrets/database-secrets.ts';
import type { KeyRing } from '../keys/key-ring.ts';
import { openProofKeys, type SigningKeys } from '../keys/open-proof-keys.ts';
import { testKeys } from '../keys/testing.ts';
import { createProofStore, type ProofStore } from './proof-store.ts';
import { purgeProofs } from './proof-table.ts';
import type { ProofSubject } from './signed-document.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const issuer = 'https://certificates.example';
const addresses = { baseUrl: issuer, namespaceUrl: `${issuer}/ns#` };
const masterKey = randomBytes(32);

let database: TestDatabase;
let now: Date;
let signatures: number;
let keys: SigningKeys;
let proofs: ProofStore;

beforeAll(async () => {
  database = await testDatabase();
});
beforeEach(async () => {
  now = new Date(START);
  signatures = 0;
  ({ keys, proofs } = await node());
});
afterEach(() => database.empty());
afterAll(() => database.close());

const clock = () => now;

async function node() {
  const { db } = database.open();
  const opened = await openProofKeys({
    db,
    clock,
    secrets: createDatabaseSecrets(masterKey),
    newKey: testKeys(),
  });
  const onSignature = () => {
    signatures += 1;
  };
  return {
    keys: opened,
    proofs: createProofStore({ db, keys: opened, addresses, clock, onSignature }),
  };
}

const merchantId = randomUUID();
const productId = randomUUID();
const imageId = randomUUID();

function product(changes: Partial<ProductSnapshot> = {}): ProofSubject {
  const snapshot: ProductSnapshot = {
    productId,
    externalProductId: 'cup-1',
    name: 'Cup',
    url: 'https://shop.example/products/cup',
    domain: 'shop.example',
    storeName: 'Shop',
    storeUrl: 'https://shop.example',
    attributes: [],
    images: [{ imageId, contentUrl: 'https://shop.example/cup.jpg' }],
    ...changes,
  };
  return { merchantId, kind: 'product', id: productId, snapshot };
}

const rows = () =>
  database.query<{ generation: number; signature: string | null; kid: string }>(
    'select generation, signature, kid from proofs order by id',
  );

/** A proof store with the given replacements in its key ring. */
const storeWith = (changed: Partial<KeyRing>) =>
  createProofStore({
    db: database.db,
    keys: { ...keys, ...changed },
    addresses,
    clock,
  });

const down = () => Promise.reject(new Error('the HSM does not answer'));
/** Begins under the real key, then dies before it signs. */
const dyingSigner = async (): Promise<Signer> => ({ kid: (await keys.signer()).kid, sign: down });

describe('a proof', () => {
  test('verifies with the published keys, is valid for 7 days and contains what was recorded', async () => {
    const proof = await proofs.proofFor(product());
    const jwks = await keys.published();
    const checks = await verifyProof(proof.jwt, jwks, { now, issuers: [issuer] });
    expect(checks).toMatchObject({
      signatureValid: { result: true },
      certificateIntegrity: { result: true },
      timestampValid: { result: true },
    });
    const claims = JSON.parse(Buffer.from(proof.jwt.split('.')[1] ?? '', 'base64url').toString());
    expect(claims).toMatchObject({ iss: issuer, productId, domain: 'shop.example', totalAssets: 1 });
    expect(claims.exp - claims.iat).toBe(7 * 86_400);
    expect(proof.snapshot).toEqual(product().snapshot);
  });

  test('is made once per state and reused across restarts and nodes', async () => {
    const first = await proofs.proofFor(product());
    now = new Date(START + DAY);
    const again = await (await node()).proofs.proofFor(product());
    expect(again).toEqual(first);
    expect(signatures).toBe(1);
    expect(await rows()).toHaveLength(1);
  });

  test('is never made of claims that somebody else wrote into the database', async () => {
    await expect(storeWith({ signerOf: down, signer: dyingSigner }).proofFor(product())).rejects.toThrow();
    const [row] = await database.query<{ payload: string }>('select payload from proofs');
    const claims = JSON.parse(Buffer.from(row?.payload ?? '', 'base64url').toString());
    const forged = Buffer.from(JSON.stringify({ ...claims, domain: 'evil.example' })).toString('base64url');
    await database.query('update proofs set payload = $1', [forged]);
    const { jwt } = await proofs.proofFor(product());
    expect(jwt.split('.')[1]).toBe(row?.payload);
    expect((await rows()).map(({ signature }) => signature !== null)).toEqual([false, true]);
  });

  test('is served with the snapshot as recorded, including the order of its members, whichever node made it', async () => {
    const credentials = {
      hasManifest: true,
      hasC2PA: true,
      hashes: { uhash: 'a'.repeat(64), phash: 'p' },
    } as const;
    const subject = product({
      images: [{ imageId, contentUrl: 'https://shop.example/cup.jpg', credentials }],
    });
    const first = await proofs.proofFor(subject);
    const again = await (await node()).proofs.proofFor(subject);
    expect(JSON.stringify(first.snapshot)).toBe(JSON.stringify(again.snapshot));
    expect(JSON.stringify(first.snapshot)).not.toBe(JSON.stringify(subject.snapshot));
  });

  test('binds the members of its document, and follows the form of it', async () => {
    const proof = await proofs.proofFor(product());
    const claims = JSON.parse(Buffer.from(proof.jwt.split('.')[1] ?? '', 'base64url').toString());
    expect(claims.namespace).toBe(addresses.namespaceUrl);
    expect(Object.keys(claims.members).toSorted()).toEqual([
      'additionalProperty',
      'svc:images',
      'svc:record',
      'svc:status',
      'verification',
    ]);
    const elsewhere = { ...addresses, namespaceUrl: 'https://other.example/ns#' };
    const moved = await createProofStore({ db: database.db, keys, addresses: elsewhere, clock }).proofFor(
      product(),
    );
    expect(moved.jwt).not.toBe(proof.jwt);
    expect(await proofs.proofFor(product())).toEqual(proof);
  });

  test('of a product too long for it binds no members, as before', async () => {
    const long = product({ name: '商'.repeat(1700) });
    const { jwt } = await proofs.proofFor(long);
    expect(JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString())).not.toHaveProperty(
      'members',
    );
    expect((await proofs.proofFor(long)).jwt).toBe(jwt);
  });

  test('of a changed state is a new one, and the previous state gets its previous one', async () => {
    const first = await proofs.proofFor(product());
    const other = await proofs.proofFor(product({ name: 'Mug' }));
    expect(other.jwt).not.toBe(first.jwt);
    expect(await proofs.proofFor(product())).toEqual(first);
  });

  test('does not depend on the order of the members of the snapshot', async () => {
    const { snapshot, ...subject } = product();
    const reversed = Object.fromEntries(Object.entries(snapshot).toReversed()) as unknown as ProductSnapshot;
    const first = await proofs.proofFor(product());
    expect(await proofs.proofFor({ ...subject, snapshot: reversed })).toEqual(first);
    expect(signatures).toBe(1);
  });

  test('of an image is of its own kind and stored separately from that of the product', async () => {
    const asset: ProofSubject = { ...product(), kind: 'asset', id: imageId };
    const proof = await proofs.proofFor(asset);
    const jwks = await keys.published();
    const asAsset = await verifyProof(proof.jwt, jwks, { now, kind: 'asset' });
    const asProduct = await verifyProof(proof.jwt, jwks, { now });
    expect(asAsset.certificateIntegrity.result).toBe(true);
    expect(asProduct.certificateIntegrity).toMatchObject({ result: false, reason: 'proof_kind_wrong' });
    expect(asProduct.signatureValid.result).toBe(true);
  });
});

describe('renewal', () => {
  test('the same proof is served while 2 days are left, and a new generation a millisecond later', async () => {
    const first = await proofs.proofFor(product());
    now = new Date(START + 5 * DAY);
    expect(first.servedUntil).toEqual(now);
    expect(await proofs.proofFor(product())).toEqual(first);
    now = new Date(START + 5 * DAY + 1);
    const second = await proofs.proofFor(product());
    expect(second.jwt).not.toBe(first.jwt);
    expect(second.issuedAt).toEqual(new Date(START + 5 * DAY));
    expect((await rows()).map(({ generation }) => generation)).toEqual([1, 2]);
  });

  test('proofs are deleted a day after they expired, unless they are in use', async () => {
    await proofs.proofFor(product());
    now = new Date(START + 8 * DAY + 1);
    const fresh = await proofs.proofFor(product());
    expect(await purgeProofs(database.db, now)).toBe(1);
    expect(await rows()).toMatchObject([{ generation: 2 }]);
    expect(await proofs.proofFor(product())).toEqual(fresh);
    expect(await purgeProofs(database.db, now)).toBe(0);
  });
});

describe('several nodes', () => {
  test('that issue the same state concurrently record one intent and serve the same bytes', async () => {
    const nodes = await Promise.all(Array.from({ length: 6 }, () => node()));
    const made = await Promise.all(nodes.flatMap((one) => [product(), product()].map(one.proofs.proofFor)));
    expect(new Set(made.map(({ jwt }) => jwt)).size).toBe(1);
    const recorded = await rows();
    expect(recorded).toHaveLength(1);
    expect(recorded[0]?.signature).toBe(made[0]?.jwt.split('.')[2]);
  });

  test('that renew concurrently make one new generation', async () => {
    const first = await proofs.proofFor(product());
    now = new Date(START + 6 * DAY);
    const nodes = await Promise.all(Array.from({ length: 6 }, () => node()));
    const made = await Promise.all(nodes.map((one) => one.proofs.proofFor(product())));
    expect(new Set(made.map(({ jwt }) => jwt)).size).toBe(1);
    expect(made[0]?.jwt).not.toBe(first.jwt);
    expect(await rows()).toHaveLength(2);
  });
});

const leaveIntent = async () => {
  const dying = storeWith({ signerOf: dyingSigner });
  await expect(dying.proofFor(product())).rejects.toMatchObject({ code: 'signer_unavailable' });
  expect(await rows()).toMatchObject([{ generation: 1, signature: null }]);
};

describe('an interruption between intent and signature', () => {
  test('is completed with the recorded bytes though control of the host was checked again meanwhile', async () => {
    const provenAt = new Date(START - DAY).toISOString();
    const proven = (checkedAt: number) =>
      product({ control: { method: 'dns_txt', provenAt, checkedAt: new Date(checkedAt).toISOString() } });
    const dying = storeWith({ signerOf: dyingSigner });
    await expect(dying.proofFor(proven(START))).rejects.toThrow();
    const [row] = await database.query<{ payload: string }>('select payload from proofs');
    const proof = await (await node()).proofs.proofFor(proven(START + 1000));
    expect(proof.jwt.split('.')[1]).toBe(row?.payload);
    expect(await rows()).toHaveLength(1);
  });

  test('is not completed with a check of control that the service does not know', async () => {
    const provenAt = new Date(START - DAY).toISOString();
    const proven = product({ control: { method: 'dns_txt', provenAt, checkedAt: provenAt } });
    const later = new Date(START).toISOString();
    const forged = product({ control: { method: 'dns_txt', provenAt, checkedAt: later } });
    await expect(storeWith({ signerOf: dyingSigner }).proofFor(forged)).rejects.toThrow();
    const { jwt } = await proofs.proofFor(proven);
    const claims = JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString());
    expect(claims.control).toEqual({ method: 'dns_txt', checkedAt: (START - DAY) / 1000 });
  });

  test('is completed by the next node with the recorded bytes and key', async () => {
    await leaveIntent();
    now = new Date(START + DAY);
    const proof = await (await node()).proofs.proofFor(product());
    expect(proof.issuedAt).toEqual(new Date(START));
    expect(await rows()).toMatchObject([{ generation: 1, signature: proof.jwt.split('.')[2] }]);
  });

  test('is completed with the recorded key even after it retired, which extends its time in the JWKS', async () => {
    const { kid } = await keys.signer();
    now = new Date(START + 89 * DAY);
    await leaveIntent();
    now = new Date(START + 90 * DAY);
    await keys.rotate();
    expect((await keys.signer()).kid).not.toBe(kid);
    now = new Date(START + 91 * DAY);
    const proof = await proofs.proofFor(product());
    expect(proof.kid).toBe(kid);
    now = new Date(START + 491 * DAY);
    expect((await keys.published()).keys.map((key) => key.kid)).toContain(kid);
    now = new Date(START + 491 * DAY + 1);
    expect((await keys.published()).keys.map((key) => key.kid)).not.toContain(kid);
  });

  test('leads to a new generation if the recorded key has been revoked since', async () => {
    await leaveIntent();
    now = new Date(START + DAY);
    const revoked = (await keys.signer()).kid;
    await keys.revoke(revoked);
    const proof = await proofs.proofFor(product());
    expect(proof.kid).not.toBe(revoked);
    expect(await rows()).toMatchObject([
      { generation: 1, signature: null },
      { generation: 2, kid: proof.kid },
    ]);
  });

  test('leads to a new generation if the recorded one has less than 2 days left', async () => {
    await leaveIntent();
    now = new Date(START + 5 * DAY + 1_000);
    const proof = await proofs.proofFor(product());
    expect(proof.issuedAt).toEqual(now);
    expect(await rows()).toMatchObject([{ generation: 1, signature: null }, { generation: 2 }]);
  });
});

describe('changes of keys', () => {
  test('a proof of a revoked key is never served again', async () => {
    const first = await proofs.proofFor(product());
    now = new Date(START + DAY);
    await keys.revoke(first.kid);
    const second = await proofs.proofFor(product());
    expect(second.kid).not.toBe(first.kid);
  });

  test('a key that is revoked while it signs leaves no proof behind', async () => {
    now = new Date(START + DAY);
    const { kid } = await keys.signer();
    const slow = storeWith({
      signerOf: async (name) => {
        const signer = await keys.signerOf(name);
        if (name !== kid || signer === null) return signer;
        return {
          kid,
          async sign(bytes) {
            await keys.revoke(kid);
            return signer.sign(bytes);
          },
        };
      },
    });
    const proof = await slow.proofFor(product());
    expect(proof.kid).not.toBe(kid);
    expect(await rows()).toMatchObject([{ kid, signature: null }, { generation: 2 }]);
  });

  test('a node that has not received a rotation starts nothing with the retired key', async () => {
    const outdated = await keys.signer();
    now = new Date(START + 90 * DAY);
    await (await node()).keys.rotate();
    const unaware = storeWith({
      signer: async (fresh) => (fresh === true ? keys.signer(true) : outdated),
    });
    const proof = await unaware.proofFor(product());
    expect(proof.kid).not.toBe(outdated.kid);
    expect(await rows()).toHaveLength(1);
  });
});

describe('a signer that is unavailable', () => {
  test('makes issuing fail with signer_unavailable, and recovers by itself', async () => {
    const broken = storeWith({ signerOf: async (kid) => ({ kid, sign: down }) });
    await expect(broken.proofFor(product())).rejects.toMatchObject({ code: 'signer_unavailable' });
    expect((await proofs.proofFor(product())).jwt).toBeTruthy();
  });

  test('does not prevent an existing proof with 2 days left from being served', async () => {
    const first = await proofs.proofFor(product());
    const broken = storeWith({ signer: down, signerOf: down });
    now = new Date(START + 5 * DAY);
    expect(await broken.proofFor(product())).toEqual(first);
    now = new Date(START + 5 * DAY + 1);
    await expect(broken.proofFor(product())).rejects.toThrow();
  });

  test('or signs other bytes than requested is detected before anything is served', async () => {
    const other = await keys.signer();
    const lying = storeWith({
      signerOf: async (kid) => ({ kid, sign: (bytes) => other.sign(bytes.map((byte) => byte ^ 1)) }),
    });
    await expect(lying.proofFor(product())).rejects.toMatchObject({ code: 'signer_unavailable' });
    expect(await rows()).toMatchObject([{ signature: null }]);
  });
});

describe('a clock that is changed', () => {
  const HOUR = 3_600_000;
  const claimsOf = ({ jwt }: { jwt: string }) =>
    JSON.parse(Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString()) as { iat: number; exp: number };
  const servedAt = async (time: number) => {
    now = new Date(time);
    const proof = await proofs.proofFor(product());
    const { iat, exp } = claimsOf(proof);
    expect(exp - iat).toBe(7 * 86_400);
    expect(iat * 1000).toBeLessThanOrEqual(time + 120_000);
    expect(exp * 1000).toBeGreaterThanOrEqual(time + 2 * DAY);
    return proof;
  };

  test('backward or forward, by any amount, leaves no proof that is not valid now, or for more than seven days', async () => {
    for (const jump of [DAY, -HOUR, -2 * DAY, 40 * DAY, -40 * DAY, HOUR, 100 * DAY, -100 * DAY])
      await servedAt(now.getTime() + jump);
  });

  test('backward by as little as the clocks of nodes differ has no effect', async () => {
    const first = await servedAt(START);
    expect(await servedAt(START - 120_000)).toEqual(first);
    const second = await servedAt(START - 120_001);
    expect(second.jwt).not.toBe(first.jwt);
    expect(await servedAt(START)).toEqual(second);
  });

  test('backward between intent and signature leaves the intent unsigned', async () => {
    await servedAt(START);
    await database.query('update proofs set signature = null');
    await servedAt(START - HOUR);
    expect((await rows()).map(({ signature }) => signature === null)).toEqual([true, false]);
  });
});

describe('a batch whose statements fail', () => {
  const refuse = (condition: string, errcode: string) =>
    database.query(`
      create function refuse() returns trigger language plpgsql as $$ begin
        if ${condition} then raise exception using errcode = '${errcode}', message = 'refused'; end if;
        return new;
      end $$;
      create trigger refuse before insert on proofs for each row execute function refuse()`);
  afterEach(() => database.query('drop function refuse cascade'));
  const another = (): ProofSubject => {
    const id = randomUUID();
    return { ...product({ productId: id, externalProductId: id, images: [] }), id };
  };
  const outcomes = async (subjects: readonly ProofSubject[]) =>
    (await Promise.allSettled(subjects.map((subject) => proofs.proofFor(subject)))).map((one) =>
      one.status === 'fulfilled' ? 'proof' : one.reason.code,
    );

  test('answers the proofs that are recorded, and a fault for the others', async () => {
    const warm = another();
    await proofs.proofFor(warm);
    await refuse('true', '53100');
    const asked = [another(), warm, another()];
    expect(await outcomes(asked)).toEqual(['database_full', 'proof', 'database_full']);
  });

  test('begins each of the others by itself if one cannot be recorded', async () => {
    const [good, bad] = [another(), another()];
    await refuse(`new.subject_id = '${bad.id}'`, 'P0001');
    expect(await outcomes([good, bad])).toEqual(['proof', 'P0001']);
  });
});
