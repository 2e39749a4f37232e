import { createTestIssuer } from '@touchstone/certificate/testing';
import { describe, expect, it } from 'vitest';
import { detectFile, detectText, MAX_FILE } from './detect.ts';

const issuer = await createTestIssuer();
const certificate = await issuer.certificate();
const { jwt } = certificate.proof as { jwt: string };
const bytes = (text: string) => new TextEncoder().encode(text);
/** An image of one pixel. */
const GIF = 'R0lGODlhAQABAIAAAAAAAP///yH5BAEAAAAALAAAAAABAAEAAAIBRAA7';

describe('a text is recognised by its contents', () => {
  it.each<[string, string, object]>([
    ['a certificate', JSON.stringify(certificate), { kind: 'document', certificate: 'product' }],
    ['an image certificate', '{"@type":"ImageObject"}', { kind: 'document', certificate: 'asset' }],
    ['an image-keyed one', ' \n{"@type":"MediaObject"} ', { kind: 'document', certificate: 'image' }],
    ['a document of several types', '{"@type":["Product","Thing"]}', { certificate: 'product' }],
    ['a certificate in quotes', JSON.stringify(JSON.stringify(certificate)), { kind: 'document' }],
    ['a byte order mark before it', `\uFEFF${JSON.stringify(certificate)}`, { kind: 'document' }],
    ['a proof', `${jwt}\n`, { kind: 'proof', jwt, certificate: 'product' }],
    ['a proof in quotes', JSON.stringify(jwt), { kind: 'proof', jwt }],
    ['a proof without signature', `${jwt.split('.').slice(0, 2).join('.')}.`, { kind: 'proof' }],
    ['a graph', JSON.stringify({ '@graph': [certificate] }), { kind: 'page' }],
    ['a list', JSON.stringify([certificate]), { kind: 'page' }],
    ['keys', JSON.stringify(issuer.jwks), { kind: 'keys', jwks: issuer.jwks }],
    ['a page', '<!doctype html><p>A cup', { kind: 'page', html: '<!doctype html><p>A cup' }],
    ['a script element', '<script type="application/ld+json">{}</script>', { kind: 'page' }],
    ['a page that begins with text', 'A cup <script>1</script>', { kind: 'page' }],
    ['an address', 'https://shop.example/cup', { kind: 'address', url: 'https://shop.example/cup' }],
    ['nothing', ' \n ', { kind: 'nothing', why: 'empty' }],
    ['broken JSON', '{"@type":"Product"', { kind: 'nothing', why: 'json_broken' }],
    ['words', 'Is this cup genuine?', { kind: 'nothing', why: 'unknown' }],
    ['what only looks like a proof', 'www.shop.example', { kind: 'nothing', why: 'unknown' }],
    ['a data URL of an image', `data:image/png;base64,${GIF}`, { kind: 'image', mediaType: 'image/gif' }],
    ['a data URL of a page', 'data:text/html,%3Cp%3Ecup', { kind: 'page' }],
    ['a broken data URL', 'data:image/png;base64,$$', { kind: 'nothing', why: 'data_url_broken' }],
    [
      'a data URL in a data URL',
      `data:,data:image/png;base64,${GIF}`,
      { kind: 'nothing', why: 'data_url_broken' },
    ],
    [
      'a certificate in quotes in quotes',
      JSON.stringify(JSON.stringify(JSON.stringify(certificate))),
      { kind: 'nothing', why: 'json_broken' },
    ],
    ['a data URL without an end', 'data:text/html', { kind: 'nothing', why: 'data_url_broken' }],
  ])('%s', (_, text, found) => {
    expect(detectText(text)).toMatchObject(found);
  });

  it('a graph cannot end the element that contains it', () => {
    const found = detectText(JSON.stringify([{ name: '</script><script>1' }]));
    expect(found).toMatchObject({ kind: 'page', html: expect.not.stringContaining('</script><') });
  });
});

describe('a file is recognised by its bytes', () => {
  it('an image, whatever its name; a document; a page, as bytes', () => {
    const image = Uint8Array.from(atob(GIF), (character) => character.charCodeAt(0));
    expect(detectFile(image)).toMatchObject({ kind: 'image', mediaType: 'image/gif', bytes: image });
    expect(detectFile(bytes(JSON.stringify(certificate)))).toMatchObject({ kind: 'document' });
    const page = bytes('<html><p>Cup');
    expect(detectFile(page)).toEqual({ kind: 'page', html: page });
  });

  it('too large, and empty', () => {
    expect(detectFile(new Uint8Array(MAX_FILE + 1))).toEqual({ kind: 'nothing', why: 'too_large' });
    expect(detectFile(new Uint8Array())).toEqual({ kind: 'nothing', why: 'empty' });
    expect(detectFile(Uint8Array.of(0, 1, 2, 250))).toEqual({ kind: 'nothing', why: 'unknown' });
  });

  it('the page in UTF-16', () => {
    const text = '\uFEFF<html><p>Cup';
    const utf16 = new Uint8Array(Uint16Array.from(text, (unit) => unit.charCodeAt(0)).buffer);
    expect(detectFile(utf16)).toMatchObject({ kind: 'page', html: utf16 });
  });

  it('the address that a browser wrote into a saved page', () => {
    const saved = (url: string) => detectText(`<!-- saved from url=(0024)${url} -->\n<html></html>`);
    expect(saved('https://shop.example/cup')).toMatchObject({ savedFrom: 'https://shop.example/cup' });
    expect(saved('javascript:alert(1)')).toMatchObject({ savedFrom: undefined });
  });
});

describe('a page saved as a single file (MHTML)', () => {
  const file = (part: string, encoding: string) => `From: <Saved by a browser>
Snapshot-Content-Location: https://shop.example/products/cup
Subject: Cup
MIME-Version: 1.0
Content-Type: multipart/related;
	type="text/html";
	boundary="----Boundary"

------Boundary
Content-Type: image/gif
Content-Transfer-Encoding: base64

${GIF}
------Boundary
Content-Type: text/html
Content-Transfer-Encoding: ${encoding}

${part}
------Boundary--
`;
  it.each([
    ['quoted-printable', '<p class=3D"x">Sch=C3=B6n=\r\n und gut</p> =4'],
    ['base64', Buffer.from('<p class="x">Schön und gut</p> =4').toString('base64')],
    ['8bit', '<p class="x">Schön und gut</p> =4'],
  ])('%s', (encoding, part) => {
    const found = detectFile(bytes(file(part, encoding)));
    expect(found).toMatchObject({
      kind: 'page',
      contentType: 'text/html; charset=utf-8',
      savedFrom: 'https://shop.example/products/cup',
    });
    const { html } = found as { html: Uint8Array };
    expect(new TextDecoder().decode(html).trim()).toBe('<p class="x">Schön und gut</p> =4');
  });

  it('without a page in it', () => {
    const text = file('', '8bit').replaceAll('text/html\n', 'text/plain\n');
    expect(detectText(text)).toEqual({ kind: 'nothing', why: 'unknown' });
  });
});
