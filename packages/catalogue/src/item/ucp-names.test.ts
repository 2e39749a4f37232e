import { expect, it } from 'vitest';
import { ucpNames } from './ucp-names.ts';

it.each([
  ['https://certs.example.com', 'com.example.certs'],
  ['https://Certs.Example.COM:443/', 'com.example.certs'],
  ['https://certificates.example.', 'example.certificates'],
  ['https://bücher.example', 'example.xn--bcher-kva'],
  ['https://certs.my-shop.co.uk', 'uk.co.my-shop.certs'],
  ['https://2.example.xn--p1ai', 'xn--p1ai.example.2'],
])('%s has the namespace %s', (baseUrl, namespace) => {
  expect(ucpNames(baseUrl)).toEqual({
    name: `${namespace}.shopping.product_certificate`,
    signal: `${namespace}.shopping.product_verification`,
  });
});

it.each([
  ['http://certs.example.com', /needs an address with https/],
  ['not an address', /needs an address with https/],
  ['https://certs.example.com:8443', /no port.*certs\.example\.com.*port 443/],
  ['https://example.com/certs', /without the path \/certs/],
  ['https://203.0.113.10', /203\.0\.113\.10 is an IP address/],
  ['https://0x7f.1', /127\.0\.0\.1 is an IP address/],
  ['https://[2001:db8::1]', /\[2001:db8::1\] is an IP address/],
  ['https://localhost', /localhost is none/],
  ['https://certs', /certs is none/],
  ['https://certs.localhost', /certs\.localhost is none/],
  ['https://nas.local.', /nas\.local is none/],
  ['https://certs.corp.internal', /is none/],
  ['https://_certs.example.com', /permits no name/],
])('%s has none, and the reason says what to do', (baseUrl, reason) => {
  expect(ucpNames(baseUrl).reason).toMatch(reason);
});
