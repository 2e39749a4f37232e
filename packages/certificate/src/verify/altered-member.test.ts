import { beforeAll, describe, expect, it } from 'vitest';
import { createKeySet } from '../keys/key-set.ts';
import { webCryptoSha256 } from '../keys/web-crypto.ts';
import { DOCUMENT_FORMS, type Sha256 } from '../proof/members.ts';
import {
  createTestIssuer,
  TEST_ISSUER,
  TEST_NOW,
  TEST_PRODUCT,
  type TestIssuer,
  testClaims,
} from '../testing/issuer.ts';
import { verify } from './verify.ts';

type Json = Record<string, unknown>;

let issuer: TestIssuer;
let issued: Json;

beforeAll(async () => {
  issuer = await createTestIssuer();
  issued = await issuer.certificate();
});

const integrityOf = async (document: unknown, sha256?: Sha256) => {
  const { checkDetails, warnings, errors } = await verify({
    document,
    pageUrl: TEST_PRODUCT.url,
    productId: TEST_PRODUCT.productId,
    keySet: { ...createKeySet(issuer.jwks), ...(sha256 && { sha256 }) },
    issuers: [TEST_ISSUER],
    now: TEST_NOW,
  });
  return { ...checkDetails.certificateIntegrity, warnings, errors };
};

/** The way to each leaf of a value. */
function leavesOf(value: unknown, path: readonly string[] = []): (readonly string[])[] {
  if (typeof value !== 'object' || value === null) return [path];
  return Object.entries(value).flatMap(([name, member]) => leavesOf(member, [...path, name]));
}

function withOther(value: unknown, [name, ...rest]: readonly string[]): unknown {
  if (name === undefined) return typeof value === 'boolean' ? !value : `${value}x`;
  const copy = Array.isArray(value) ? [...value] : { ...(value as Json) };
  (copy as Json)[name] = withOther((value as Json)[name], rest);
  return copy;
}

describe('a document whose proof binds its members', () => {
  it('fails if any single leaf is altered, and names the member', async () => {
    const leaves = leavesOf(issued).filter(([name]) => name !== 'proof' && name !== 'svc:trust');
    expect(leaves.length).toBeGreaterThan(40);
    for (const path of leaves) {
      const { result, reason, expected } = await integrityOf(withOther(issued, path));
      expect([path.join('.'), result, reason]).toEqual([
        path.join('.'),
        false,
        expect.stringMatching(/^(member_altered|document_differs)$/),
      ]);
      expect(expected).toContain(path[0]);
    }
  });

  it('may omit any part', async () => {
    for (const name of Object.keys(issued).filter((one) => one !== 'proof')) {
      const { [name]: _, ...rest } = issued;
      expect([name, (await integrityOf(rest)).result]).toEqual([name, true]);
    }
  });

  it('reports names from the document truncated and sanitised', async () => {
    const name = `svc:\u202e\n${'x'.repeat(500)}`;
    const { expected, actual } = await integrityOf({ ...issued, [name]: { a: 1 } });
    expect(expected).toMatch(/^no svc:\?\?x{54}$/);
    expect(actual).toBe('an object');
  });

  it('is not altered by where its proof is logged, however that is spelled, and whatever it says', async () => {
    const namespace = `${TEST_ISSUER}/ns#`;
    for (const logProof of ['c2sp.org/tlog-proof@v1', '', { 'svc:images': [] }, [7]]) {
      expect(await integrityOf({ ...issued, 'svc:logProof': logProof })).toMatchObject({ result: true });
      const both = { ...issued, 'svc:logProof': 'one', [`${namespace}logProof`]: logProof };
      expect(await integrityOf(both)).toMatchObject({ result: true, warnings: [] });
    }
    expect(await integrityOf({ ...issued, 'svc:logProofs': '' })).toMatchObject({ reason: 'member_altered' });
  });

  it('is not hashed if the signature is invalid or there is nothing to compare', async () => {
    let asked = 0;
    const count = () => {
      asked += 1;
      return '';
    };
    const forged = await (await createTestIssuer()).certificate();
    expect(await integrityOf(forged, count)).toMatchObject({ reason: 'document_not_compared' });
    expect(await integrityOf({ proof: issued.proof }, count)).toMatchObject({ result: true });
    expect(asked).toBe(0);
    await integrityOf(issued, count);
    expect(asked).toBe(DOCUMENT_FORMS.product.digested.length);
  });
});

describe('digests that take time', () => {
  it('are all started before any is awaited, and compared in the order of the proof', async () => {
    const { promise: begun, resolve } = Promise.withResolvers<void>();
    let asked = 0;
    const late = async (text: string) => {
      asked += 1;
      if (asked === DOCUMENT_FORMS.product.digested.length) resolve();
      await begun;
      return webCryptoSha256()(text);
    };
    expect(await integrityOf(issued, late)).toMatchObject({ result: true });
    asked = 0;
    const both = { ...issued, verification: {}, 'svc:record': {}, 'svc:added': 1 };
    expect(await integrityOf(both, late)).toMatchObject({ expected: 'svc:record as it was issued' });
  });
});

describe('a proof of the earlier form, which binds no members', () => {
  it('verifies as before, whatever the rest of the document contains', async () => {
    const proof = { jwt: await issuer.sign(testClaims()) };
    const document = { ...issued, 'svc:images': 'none', 'svc:nft': {}, '@type': 7, '@context': 7, proof };
    expect(await integrityOf(document)).toMatchObject({ result: true, warnings: [] });
    const trust = { certifiedAssets: 1, score: 100 };
    expect((await integrityOf({ ...document, 'svc:trust': trust })).warnings).toEqual([]);
  });
});

describe('the claim with the digests of members', () => {
  const namespace = `${TEST_ISSUER}/ns#`;
  it.each([
    [{ namespace }, 'claim_missing'],
    [{ members: {} }, 'claim_missing'],
    [{ namespace: 7, members: {} }, 'claim_wrong_type'],
    [{ namespace, members: [] }, 'claim_wrong_type'],
    [{ namespace, members: null }, 'claim_wrong_type'],
    [{ namespace, members: { a: 7 } }, 'claim_wrong_type'],
  ])('is invalid as %j: %s', async (claims, reason) => {
    const proof = { jwt: await issuer.sign({ ...testClaims(), ...claims }) };
    expect(await integrityOf({ proof })).toMatchObject({ result: false, reason });
  });

  it('may be empty: then none of our members was issued', async () => {
    const proof = { jwt: await issuer.sign({ ...testClaims(), namespace: '', members: {} }) };
    expect(await integrityOf({ proof, name: 'x' })).toMatchObject({ result: true });
    expect(await integrityOf({ proof, 'svc:status': {} })).toMatchObject({ reason: 'member_altered' });
  });
});
