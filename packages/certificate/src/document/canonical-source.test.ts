import { describe, expect, it } from 'vitest';
import { productCertificatePath } from './addresses.ts';
import { canonicalSource, parseCanonicalSource } from './canonical-source.ts';

const BASE = 'https://certificates.example';
const ID = '0b54ecb8-6a0c-4d43-a2ee-ae49e0c8a0a6';
const node = (source: unknown) => ({ 'svc:status': { canonicalSource: source } });

describe('the canonical source of a certificate node', () => {
  it('names the product if it is what the service itself writes', () => {
    const source = canonicalSource(`${BASE}${productCertificatePath(ID.toUpperCase())}`);
    expect(parseCanonicalSource(node(source), [BASE])).toEqual({ kind: 'ok', productId: ID });
  });

  it('may omit the method, but may name only GET', () => {
    const url = `${BASE}${productCertificatePath(ID)}`;
    expect(parseCanonicalSource(node({ url }), [BASE]).kind).toBe('ok');
    for (const [httpMethod, detail] of [
      ['POST', 'POST'],
      [7, '7'],
      [null, 'null'],
      [['GET'], 'a list'],
      [{ toString: 1 }, 'an object'],
    ]) {
      const reading = parseCanonicalSource(node({ url, httpMethod }), [BASE]);
      expect(reading).toEqual({ kind: 'invalid', code: 'canonical_source_method', detail });
    }
  });

  it('over https belongs to another issuer if the trusted one is over http', () => {
    const byHttp = BASE.replace('https', 'http');
    const source = (base: string) => node({ url: `${base}${productCertificatePath(ID)}` });
    expect(parseCanonicalSource(source(BASE), [byHttp])).toEqual({
      kind: 'mismatch',
      code: 'canonical_scheme_foreign',
      host: BASE,
    });
    expect(parseCanonicalSource(source(BASE), [byHttp, BASE]).kind).toBe('ok');
    expect(parseCanonicalSource(source(byHttp), [byHttp]).kind).toBe('ok');
    expect(parseCanonicalSource(source(byHttp), [BASE])).toMatchObject({
      code: 'canonical_source_not_https',
    });
  });

  it('is refused without recursion, however deeply its members are nested', () => {
    const deep = JSON.parse('['.repeat(100_000) + ']'.repeat(100_000));
    const url = `${BASE}${productCertificatePath(ID)}`;
    expect(parseCanonicalSource(node({ url, httpMethod: deep }), [BASE])).toMatchObject({ detail: 'a list' });
    expect(parseCanonicalSource(node({ url: deep }), [BASE]).kind).toBe('invalid');
    expect(parseCanonicalSource(node(deep), [BASE]).kind).toBe('invalid');
  });
});
