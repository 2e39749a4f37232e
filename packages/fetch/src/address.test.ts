import { describe, expect, it } from 'vitest';
import { isPrivateName, isPublicAddress, literalAddress, sameAddress } from './address.ts';

const PRIVATE = `
  0.0.0.0 0.1.2.3 0.255.255.255 10.0.0.0 10.255.255.255
  100.64.0.0 100.100.100.200 100.127.255.255 127.0.0.1 127.1.2.3 127.255.255.255
  169.254.0.0 169.254.169.254 169.254.255.255 172.16.0.0 172.31.255.255
  192.0.0.0 192.0.0.192 192.0.2.1 192.31.196.1 192.52.193.1 192.88.99.1
  192.168.0.0 192.168.255.255 192.175.48.1 198.18.0.0 198.19.255.255
  198.51.100.1 203.0.113.1 224.0.0.1 239.255.255.255 240.0.0.1 255.255.255.255
  :: ::1 ::2 ::7f00:1 ::127.0.0.1 ::8.8.8.8
  ::ffff:127.0.0.1 ::ffff:7f00:1 ::ffff:8.8.8.8 ::ffff:0:127.0.0.1
  64:ff9b::7f00:1 64:ff9b::8.8.8.8 64:ff9b:1::1 100::1 100:0:0:1::1
  2001::1 2001:0:7f00:1:: 2001:2::1 2001:10::1 2001:20::1 2001:db8::1
  2002:7f00:1:: 2002:808:808::1 2620:4f:8000::1 3ffe::1 3fff::1 5f00::1
  4000::1 8000::1 fc00::1 fd00:ec2::254 fe80::1 febf::1 fec0::1 ff02::1
`
  .trim()
  .split(/\s+/);

const PUBLIC = `
  1.1.1.1 8.8.8.8 9.255.255.255 11.0.0.0 93.184.215.14 100.63.255.255 100.128.0.0
  126.255.255.255 128.0.0.0 169.253.255.255 169.255.0.0 172.15.255.255 172.32.0.0
  192.167.255.255 192.169.0.0 198.17.255.255 198.20.0.0 223.255.255.255
  2001:200::1 2001:4860:4860::8888 2606:4700:4700::1111 2a00:1450:4001::1 2003::1
`
  .trim()
  .split(/\s+/);

const NOT_ADDRESSES = [
  '',
  ' ',
  'localhost',
  '127.1',
  '0177.0.0.1',
  '0x7f000001',
  '2130706433',
  '[::1]',
  '1.1.1.1 ',
  'fe80::1%eth0',
  '2606:4700::1%1',
  '8.8.8.8:80',
  '8.8.8.8/32',
  '１.1.1.1',
];

describe('only the public internet is public', () => {
  it.each(PRIVATE)('%s is not', (address) => expect(isPublicAddress(address)).toBe(false));
  it.each(PUBLIC)('%s is', (address) => expect(isPublicAddress(address)).toBe(true));
  it.each(NOT_ADDRESSES)('"%s", which is not a plain address, is not', (text) =>
    expect(isPublicAddress(text)).toBe(false),
  );
});

describe('literal forms', () => {
  it.each([
    'http://0177.0.0.1/',
    'http://0x7f.1/',
    'http://0x7f000001/',
    'http://2130706433/',
    'http://127.1/',
    'http://127.0.0.1./',
    'http://①②⑦.0.0.1/',
    'http://017700000001/',
    'http://[::ffff:127.0.0.1]/',
    'http://[::]/',
    'http://[0:0:0:0:0:0:0:1]/',
    'http://0/',
  ])('%s is read as the address that it means', (url) => {
    const literal = literalAddress(new URL(url).hostname);
    expect(literal).not.toBeNull();
    expect(isPublicAddress(literal ?? '8.8.8.8')).toBe(false);
  });

  it('a name is not a literal', () => expect(literalAddress('127.0.0.1.example')).toBeNull());
});

describe('names that never resolve to the public internet', () => {
  it.each([
    'localhost',
    'a.localhost',
    'printer',
    'x.local',
    'metadata.google.internal',
    'r.home.arpa',
    'x.onion',
  ])('%s', (name) => expect(isPrivateName(name)).toBe(true));
  it.each(['shop.example', 'localhost.example', 'internal.example', 'mylocal.com'])('not %s', (name) =>
    expect(isPrivateName(name)).toBe(false),
  );
});

describe('two spellings of one address are the same', () => {
  it('for IPv6, short and long', () =>
    expect(sameAddress('2606:4700::1', '2606:4700:0:0:0:0:0:1')).toBe(true));
  it('but a mapped IPv4 address is not the IPv4 address itself', () =>
    expect(sameAddress('::ffff:8.8.8.8', '8.8.8.8')).toBe(false));
  it('and an empty address equals nothing', () => expect(sameAddress('', '')).toBe(false));
});
