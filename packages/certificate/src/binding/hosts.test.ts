import { describe, expect, it } from 'vitest';
import { hasEmptyLabel, hostOf, isIpLiteral, normalizeHost, sameHost } from './hosts.ts';

describe('hosts', () => {
  it.each([
    ['Shop.Example', 'shop.example'],
    ['shop.example.', 'shop.example'],
    ['bücher.example', 'xn--bcher-kva.example'],
    ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
    ['shop.example..', null],
    ['shop.example:443', null],
    ['shop.example/', null],
    ['user@shop.example', null],
    ['', null],
    ['.', null],
    ['.shop.example', null],
    ['shop..example', null],
    ['shop.example?', null],
    ['shop.example#', null],
    ['shop.example\\', null],
    ['shop%2eexample', null],
    ['shop.exa\tmple', null],
    ['[::1]', null],
    [' shop.example', null],
  ])('normalises the bare hostname %j to %j', (text, host) => {
    expect(normalizeHost(text)).toBe(host);
  });

  it('finds empty labels in hosts', () => {
    for (const host of ['', '.', 'a..b', '.a', 'a.']) expect(hasEmptyLabel(host)).toBe(true);
    for (const host of ['a', 'a.b', '[::1]', '127.0.0.1']) expect(hasEmptyLabel(host)).toBe(false);
  });

  it.each([
    ['www.shop.example', 'shop.example'],
    ['shop.example.evil.example', 'shop.example'],
    ['evilshop.example', 'shop.example'],
    ['shоp.example', 'shop.example'], // Cyrillic o
  ])('does not take %j for %j', (a, b) => {
    expect(sameHost(normalizeHost(a), normalizeHost(b))).toBe(false);
  });

  it('never matches anything without a host, not even itself', () => {
    expect(sameHost(null, null)).toBe(false);
    expect(sameHost(null, 'shop.example')).toBe(false);
    expect(sameHost('shop.example', null)).toBe(false);
  });

  it.each(['1.2.3.4.example', '4.shop.example', 'shop4.example', 'shop.example4', 'xn--4ca.example'])(
    'accepts %s as a name, however many digits it contains',
    (name) => {
      expect(isIpLiteral(name)).toBe(false);
      expect(sameHost(normalizeHost(name), name)).toBe(true);
    },
  );

  it.each(['127.0.0.1', '[::1]', '0x7f.1', '2130706433', '127.0.0.1.'])(
    'never matches the IP literal %s, not even with itself',
    (ip) => {
      const host = hostOf(`http://${ip}/`);
      expect(host).not.toBeNull();
      expect(sameHost(host, host)).toBe(false);
    },
  );

  it('reads a host only from an absolute http or https URL', () => {
    for (const url of ['ftp://a.example/', '/path', 'shop.example', 'javascript:alert(1)', '']) {
      expect(hostOf(url)).toBeNull();
    }
  });
});
