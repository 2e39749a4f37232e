import { describe, expect, it } from 'vitest';
import { findConnectTo, parseConnectTo } from './connect-to.ts';

describe('FETCH_CONNECT_TO', () => {
  it('names a host, with or without a port, and an address', () => {
    expect(parseConnectTo('Shop.example=127.0.0.1:8443, bücher.example:443=[::1]:9000,')).toEqual([
      { host: 'shop.example', address: '127.0.0.1', toPort: 8443 },
      { host: 'xn--bcher-kva.example', port: 443, address: '::1', toPort: 9000 },
    ]);
  });

  it.each([
    'shop.example',
    'shop.example=',
    '=127.0.0.1:80',
    'shop.example=localhost:80',
    'shop.example=127.0.0.1',
    'shop.example=127.0.0.1:0',
    'shop.example:99999=127.0.0.1:80',
    'shop.example=127.1:80',
    'shop.example=::1:80',
    'http://shop.example=127.0.0.1:80',
  ])('"%s" is refused, by name', (text) => {
    expect(() => parseConnectTo(text)).toThrow(text);
  });

  it('prefers the entry that names the port', () => {
    const entries = parseConnectTo('a.example=127.0.0.1:1,a.example:443=127.0.0.1:2');
    expect(findConnectTo(entries, 'a.example', 443)?.toPort).toBe(2);
    expect(findConnectTo(entries, 'a.example', 80)?.toPort).toBe(1);
    expect(findConnectTo(entries, 'b.a.example', 80)).toBeUndefined();
  });

  it('an entry with a port does not affect other ports', () => {
    expect(findConnectTo(parseConnectTo('a.example:443=127.0.0.1:2'), 'a.example', 80)).toBeUndefined();
  });
});
