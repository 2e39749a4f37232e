import { describe, expect, it } from 'vitest';
import { encodeBase64url } from './base64url.ts';
import { readProof } from './compact-jws.ts';
import { encodeHeader, headersOf } from './proof-header.ts';

const base64url = (text: string) => encodeBase64url(new TextEncoder().encode(text));
const HEADER = base64url('{"alg":"RS256","kid":"k","typ":"t"}');
const CLAIMS = base64url('{"iss":"i"}');
const SIGNATURE = base64url('s');

const withHeader = (header: string) => readProof(`${base64url(header)}.${CLAIMS}.${SIGNATURE}`);

describe('a parsed proof', () => {
  it('has the kid, the signature, and exactly the characters that were signed', () => {
    const { fault, claimsFault, claims, typ, jws } = readProof(`${HEADER}.${CLAIMS}.${SIGNATURE}`);
    expect({ fault, claimsFault, claims, typ }).toEqual({
      fault: 'ok',
      claimsFault: 'ok',
      claims: { iss: 'i' },
      typ: 't',
    });
    expect(jws?.kid).toBe('k');
    expect(jws?.signature).toEqual(new TextEncoder().encode('s'));
    expect(new TextDecoder().decode(jws?.signingInput)).toBe(`${HEADER}.${CLAIMS}`);
  });

  it('is empty over 8 KB, without being read', () => {
    const fault = 'proof_too_large';
    expect(readProof('.'.repeat(8193))).toMatchObject({ fault, claimsFault: fault, claims: null, jws: null });
    expect(readProof('.'.repeat(8192)).fault).toBe('proof_malformed');
  });

  it.each([
    ['{"alg":"RS256","kid":"k","typ":"t","kid":"k"}', 'proof_malformed'],
    ['["alg"]', 'proof_malformed'],
    ['{"kid":"k"}', 'algorithm_not_allowed'],
    ['{"alg":"rs256","kid":"k"}', 'algorithm_not_allowed'],
    ['{"alg":"RS256","kid":"k","zip":"DEF"}', 'header_not_allowed'],
    ['{"alg":"RS256"}', 'kid_missing'],
    ['{"alg":"RS256","kid":""}', 'kid_missing'],
    ['{"alg":"RS256","kid":7}', 'kid_missing'],
    ['{"alg":"RS256","kid":["k"]}', 'kid_missing'],
  ])('with the header %s keeps its claims, and says why no signature can be checked: %s', (header, fault) => {
    expect(withHeader(header)).toMatchObject({ fault, jws: null, claimsFault: 'ok', claims: { iss: 'i' } });
  });

  it('keeps its signature when its claims cannot be read', () => {
    const reading = readProof(`${HEADER}.${base64url('[]')}.${SIGNATURE}`);
    expect(reading).toMatchObject({ fault: 'ok', claimsFault: 'claims_unreadable', claims: null });
    expect(reading.jws).not.toBeNull();
  });

  it('has the kind that its header names even if the header is refused', () => {
    expect(withHeader('{"alg":"none","typ":"t"}').typ).toBe('t');
  });
});

describe('a header that was parsed in advance', () => {
  const known = new Map(headersOf('k'));

  it.each(['product', 'asset', 'image'] as const)('means the same as when it is parsed: %s', (kind) => {
    const header = encodeHeader(kind, 'k');
    const token = `${header}.${CLAIMS}.${SIGNATURE}`;
    expect(known.get(header)?.fault).toBe('ok');
    expect(readProof(token, known)).toEqual(readProof(token));
    expect(readProof(token, known).jws?.kid).toBe('k');
  });

  it('hides no fault in the rest of the proof', () => {
    const header = encodeHeader('product', 'k');
    for (const token of [`${header}.+.${SIGNATURE}`, `${header}.${CLAIMS}.`, `${header}.${CLAIMS}`]) {
      expect(readProof(token, known)).toEqual(readProof(token));
    }
    expect(readProof(`${header}.${base64url('[]')}.${SIGNATURE}`, known).claimsFault).toBe(
      'claims_unreadable',
    );
  });

  it('is refused just as when it is parsed', () => {
    const header = encodeHeader('product', '');
    expect(readProof(`${header}.${CLAIMS}.${SIGNATURE}`, new Map(headersOf(''))).fault).toBe('kid_missing');
  });

  it('does not match a header with the same members written differently', () => {
    const token = `${base64url('{"kid":"k","alg":"RS256","typ":"t"}')}.${CLAIMS}.${SIGNATURE}`;
    expect(readProof(token, known)).toEqual(readProof(token));
    expect(readProof(token, known).typ).toBe('t');
  });
});
