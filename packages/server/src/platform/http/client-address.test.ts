import { describe, expect, test } from 'vitest';
import { parseNetwork } from '../settings/parse-network.ts';
import { callerOfAddress, createClientAddresses } from './client-address.ts';

const find = (peer: string, forwarded?: string) => {
  const ignored: string[] = [];
  const addresses = createClientAddresses(['10.0.0.0/8', '2001:db8::/32'], (from) => ignored.push(from));
  return { address: addresses.find(peer, forwarded), ignored };
};

describe('a forwarded address counts only when a trusted proxy says so (decision 18)', () => {
  test('no header: the peer itself', () => {
    expect(find('203.0.113.9')).toEqual({ address: '203.0.113.9', ignored: [] });
    expect(find('::ffff:203.0.113.9').address).toBe('203.0.113.9');
  });

  test('a header from a stranger is ignored, and told', () => {
    expect(find('203.0.113.9', '1.1.1.1')).toEqual({ address: '203.0.113.9', ignored: ['203.0.113.9'] });
  });

  test('a trusted proxy is believed, through a chain of trusted ones, and no further', () => {
    expect(find('10.1.1.1', '198.51.100.7').address).toBe('198.51.100.7');
    expect(find('10.1.1.1', '6.6.6.6, 198.51.100.7, 10.2.2.2').address).toBe('198.51.100.7');
    expect(find('::ffff:10.1.1.1', '198.51.100.7:4711').address).toBe('198.51.100.7');
    expect(find('2001:db8::1', '[2606:4700::1]:443').address).toBe('2606:4700::1');
  });

  test('what is no address ends the chain at the last one that is', () => {
    expect(find('10.1.1.1', 'unknown').address).toBe('10.1.1.1');
    expect(find('10.1.1.1', '6.6.6.6, nonsense, 10.3.3.3').address).toBe('10.3.3.3');
    expect(find('10.1.1.1', '').address).toBe('10.1.1.1');
  });
});

describe('callers are counted by IPv4 address or IPv6 /64', () => {
  test.each([
    ['203.0.113.9', 'ip:203.0.113.9'],
    ['::ffff:203.0.113.9', 'ip:203.0.113.9'],
    ['2001:db8:1:2:3:4:5:6', 'ip:2001:db8:1:2::/64'],
    ['2001:0DB8:0001:0002::9', 'ip:2001:db8:1:2::/64'],
    ['fe80::1%eth0', 'ip:fe80:0:0:0::/64'],
    ['::1', 'ip:0:0:0:0::/64'],
  ])('%s → %s', (address, caller) => {
    expect(callerOfAddress(address)).toBe(caller);
  });
});

test.each([
  ['10.0.0.0/8', true],
  ['::1', true],
  ['10.0.0.0/33', false],
  ['10.0.0', false],
  ['10.0.0.0/8/8', false],
  ['example.com', false],
  ['10.0.0.0/', false],
])('%s is a network: %s', (text, valid) => {
  expect(parseNetwork(text) !== null).toBe(valid);
});
