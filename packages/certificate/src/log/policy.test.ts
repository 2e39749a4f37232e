import { describe, expect, it } from 'vitest';
import { type Policy, parsePolicy, quorumMet } from './policy.ts';
import { COSIGNATURE_ED25519, COSIGNATURE_ML_DSA_44, formatVkey, vkeyOf } from './vkey.ts';

const key = async (name: string, fill: number, type: number, length = 32) =>
  formatVkey(await vkeyOf(name, new Uint8Array(length).fill(fill), type));
const [W1, W2] = await Promise.all([
  key('w1.example', 10, COSIGNATURE_ED25519),
  key('w2.example', 11, COSIGNATURE_ED25519),
]);
const read = async (text: string | Uint8Array) => (await parsePolicy(text)) as Policy;

// the rest is in test/vectors/log/policy.json
describe('a policy', () => {
  it('keeps what it cannot verify, and names of any bytes', async () => {
    const mlDsa = await key('pq.example', 3, COSIGNATURE_ML_DSA_44, 1312);
    expect((await read(`witness pq ${mlDsa}\nquorum pq\n`)).witnesses[0]?.key.type).toBe(6);
    const bytes = Buffer.concat([
      Buffer.from('# '),
      Buffer.of(0xff),
      Buffer.from('\nwitness '),
      Buffer.of(0xfe),
      Buffer.from(` ${W1}\nquorum `),
      Buffer.of(0xfe, 0x0a),
    ]);
    expect(quorumMet(await read(new Uint8Array(bytes)), new Set(['þ']))).toBe(true);
    // the sign for kelvin is not the letter K
    const kelvin = `witness K ${W1}\nwitness \u212a ${W2}\nquorum \u212a\n`;
    expect(quorumMet(await read(kelvin), new Set(['K']))).toBe(false);
  });

  it('of more than 64 KB is not read', async () => {
    expect(await parsePolicy(`${'#'.repeat(65_523)}\nquorum none\n`)).toEqual({ logs: [], witnesses: [] });
    expect(await parsePolicy(`${'#'.repeat(65_525)}\nquorum none\n`)).toEqual({ fault: 'policy_too_large' });
  });
});
