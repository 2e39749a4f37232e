import { describe, expect, test } from 'vitest';
import { addressChain, callerOf, trustedProxies } from './client-address.ts';

const find = (remoteAddress: string, forwarded?: string) => {
  const ignored: string[] = [];
  const isTrusted = trustedProxies(['10.0.0.0/8', '2001:db8::/32'], (peer) => ignored.push(peer));
  const headers = forwarded === undefined ? {} : { 'x-forwarded-for': forwarded };
  return { caller: callerOf(addressChain({ headers, socket: { remoteAddress } }, isTrusted)), ignored };
};

describe('a forwarded address counts only if a trusted proxy sends it', () => {
  test.each([
    ['203.0.113.9', undefined, '203.0.113.9'],
    ['::ffff:203.0.113.9', undefined, '203.0.113.9'],
    ['10.1.1.1', '198.51.100.7', '198.51.100.7'],
    // through a chain of trusted proxies, and no further
    ['10.1.1.1', '6.6.6.6, 198.51.100.7, 10.2.2.2', '198.51.100.7'],
    ['10.1.1.1', '198.51.100.7, 10.2.2.2:4711', '198.51.100.7'],
    ['::ffff:10.1.1.1', '198.51.100.7:4711', '198.51.100.7'],
    ['2001:db8::1', '[2606:4700::1]:443', '2606:4700:0:0::/64'],
    // an invalid address ends the chain at the last valid one
    ['10.1.1.1', 'unknown', '10.1.1.1'],
    ['10.1.1.1', '6.6.6.6, nonsense, 10.3.3.3', '10.3.3.3'],
    ['10.1.1.1', '', '10.1.1.1'],
  ])('peer %s, header %s: %s', (peer, header, caller) => {
    expect(find(peer, header)).toEqual({ caller: `ip:${caller}`, ignored: [] });
  });

  test('a header from an untrusted address is ignored, and reported', () => {
    expect(find('203.0.113.9', '1.1.1.1')).toEqual({
      caller: 'ip:203.0.113.9',
      ignored: ['203.0.113.9'],
    });
  });
});

test.each([
  ['203.0.113.9', 'ip:203.0.113.9'],
  ['::ffff:203.0.113.9', 'ip:203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', 'ip:2001:db8:1:2::/64'],
  ['2001:0DB8:0001:0002::9', 'ip:2001:db8:1:2::/64'],
  ['fe80::1%eth0', 'ip:fe80:0:0:0::/64'],
  ['::1', 'ip:0:0:0:0::/64'],
])('callers are counted by IPv4 address or IPv6 /64: %s is %s', (address, caller) => {
  expect(callerOf([address])).toBe(caller);
});
