import { describe, expect, test } from 'vitest';
import { activeKey, isPublished, type KeyStep, planKeys, type SigningKey } from './key-schedule.ts';

const DAY = 86_400_000;
const START = Date.UTC(2026, 0, 1);
const day = (days: number, ms = 0) => new Date(START + days * DAY + ms);
const policy = { rotateEvery: 90 * DAY };

function key(kid: string, dates: Partial<Omit<SigningKey, 'kid' | 'publicJwk'>> = {}): SigningKey {
  const publicJwk = { kty: 'RSA', kid, use: 'sig', alg: 'RS256', n: 'AQAB', e: 'AQAB' } as const;
  return { kid, publicJwk, publishedAt: day(0), sealedPrivateKey: new Uint8Array(1), ...dates };
}

const stepsOf = (keys: SigningKey[], now: Date): KeyStep[] => planKeys(keys, now, policy);

describe('the key schedule', () => {
  test('the very first key signs at once, with two published standbys', () => {
    expect(stepsOf([], day(0))).toEqual([
      { step: 'create', as: 'active' },
      { step: 'create', as: 'standby' },
      { step: 'create', as: 'standby' },
    ]);
  });

  test('lost standbys are replaced', () => {
    const active = key('a', { activeFrom: day(0) });
    expect(stepsOf([active, key('s')], day(1))).toEqual([{ step: 'create', as: 'standby' }]);
    expect(stepsOf([active], day(1))).toHaveLength(2);
  });

  test('nothing is done while the active key is younger than its term', () => {
    expect(stepsOf([key('a', { activeFrom: day(0) }), key('s'), key('t')], day(90, -1))).toEqual([]);
  });

  test('at the end of its term the active key retires, the oldest standby is promoted and another is published', () => {
    const newer = key('b', { publishedAt: day(1) });
    expect(stepsOf([newer, key('a', { activeFrom: day(0) }), key('s')], day(90))).toEqual([
      { step: 'promote', kid: 's', retire: 'a' },
      { step: 'create', as: 'standby' },
    ]);
  });

  test('a standby never replaces an active key before it was published for a day, even if that is due', () => {
    const keys = [
      key('a', { activeFrom: day(0) }),
      ...['s', 't'].map((kid) => key(kid, { publishedAt: day(95) })),
    ];
    expect(stepsOf(keys, day(96, -1))).toEqual([]);
    expect(stepsOf(keys, day(96))).toContainEqual({ step: 'promote', kid: 's', retire: 'a' });
  });

  test('after a revocation the oldest standby is promoted at once, however short it was published', () => {
    const revoked = key('a', { activeFrom: day(0), revokedAt: day(5) });
    const keys = [revoked, key('t', { publishedAt: day(5, -1) }), key('s', { publishedAt: day(5, -2) })];
    expect(activeKey(keys)).toBeUndefined();
    expect(stepsOf(keys, day(5))).toContainEqual({ step: 'promote', kid: 's' });
    expect(stepsOf(keys, day(5))).not.toContainEqual({ step: 'promote', kid: 't' });
  });

  test('when every key was revoked a new one signs at once', () => {
    const revoked = ['a', 's', 't'].map((kid) => key(kid, { revokedAt: day(5) }));
    expect(stepsOf(revoked, day(5)).filter(({ step }) => step !== 'forget_private')).toEqual([
      { step: 'create', as: 'active' },
      { step: 'create', as: 'standby' },
      { step: 'create', as: 'standby' },
    ]);
  });

  test('a private key is deleted once no proof that it began can be served', () => {
    const retired = key('a', { activeFrom: day(0), retiredAt: day(90) });
    const others = [key('b', { activeFrom: day(90) }), key('s'), key('t')];
    expect(stepsOf([retired, ...others], day(98, -1))).toEqual([]);
    expect(stepsOf([retired, ...others], day(98))).toEqual([{ step: 'forget_private', kid: 'a' }]);
  });
});

describe('the JWKS', () => {
  test('contains a standby before it signs', () => {
    expect(isPublished(key('s'), day(0))).toBe(true);
  });

  test('contains a retired key for 400 days after its last use, and no longer', () => {
    const retired = key('a', { activeFrom: day(0), retiredAt: day(90) });
    expect(isPublished(retired, day(490))).toBe(true);
    expect(isPublished(retired, day(490, 1))).toBe(false);
  });

  test('counts the 400 days from the completion of a proof that the key began', () => {
    const retired = key('a', { activeFrom: day(0), retiredAt: day(90), lastUsedAt: day(93) });
    expect(isPublished(retired, day(493))).toBe(true);
    expect(isPublished(retired, day(493, 1))).toBe(false);
  });

  test('never contains a revoked key', () => {
    expect(isPublished(key('a', { activeFrom: day(0), revokedAt: day(1) }), day(1))).toBe(false);
  });
});
