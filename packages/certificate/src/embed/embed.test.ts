import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createTestIssuer } from '../testing/issuer.ts';
import { certificateJson, certificateScript, createHtmlEmbedder, embedCertificate } from './index.ts';

const OLD = '<script type="application/ld+json" data-touchstone>{"old":true}</script>';
const NEW = '<script type="application/ld+json" data-touchstone>{"new":true}</script>';
const bytes = (text: string) => new TextEncoder().encode(text);
const textOf = (pieces: readonly Uint8Array[]) => Buffer.concat(pieces).toString('utf8');
const embedded = (page: string, script: string | null = NEW) => {
  const done = embedCertificate(bytes(page), script);
  return done === null ? null : textOf([done.html]);
};

describe('a certificate as text in a page', () => {
  it('is ASCII that cannot end its element, and reads as the same document', async () => {
    const issuer = await createTestIssuer();
    const certificate = await issuer.certificate({
      document: { 'x-name': '</script><!-- é \u2028 & 😀 -->' },
    });
    const json = certificateJson(certificate);
    expect(json).toMatch(/^[\x20-\x7e]+$/);
    expect(json).not.toMatch(/[<>&]/);
    expect(JSON.parse(json)).toEqual(certificate);
  });

  it('takes the @id of the page’s own node', () => {
    expect(JSON.parse(certificateJson({ a: 1 }, { nodeId: '#product' }))).toEqual({
      '@id': '#product',
      a: 1,
    });
    expect(certificateScript({ a: 1 })).toBe(NEW.replace('"new":true', '"a":1'));
  });
});

describe('the script of the badge', () => {
  const named = (recordUrl: unknown) => ({ 'svc:record': { recordUrl } });
  const badgeOf = (certificate: object) =>
    certificateScript(certificate, { badge: true }).split('</script>')[1];

  it('is loaded from the service that issued the certificate, if it is requested', () => {
    const certificate = named('https://certs.example/of/us/api/v1/mc4p/products/x/certificate');
    expect(badgeOf(certificate)).toBe(
      '<script type="module" data-touchstone src="https://certs.example/of/us/badge.js">',
    );
    expect(certificateScript(certificate)).not.toContain('badge');
  });

  it.each([
    ['that names no service', {}],
    ['with another address', named('https://certs.example/x')],
    ['with an invalid address', named('javascript:alert(1)//api/v1/')],
    ['with what would end the attribute', named('https://certs.example/"onload="x/api/v1/')],
    ['without text', named(7)],
  ])('is omitted for a document %s', (_, certificate) => {
    expect(badgeOf(certificate)).toBe('');
  });

  it('belongs to its block: replaced once, removed, and inserted again', () => {
    const block = certificateScript(named('https://certs.example/api/v1/x'), { badge: true });
    const page = '<html><head><script src="/shop.js"></script></head><body></body></html>';
    const once = embedded(page, block);
    expect(once).toBe(page.replace('</head>', `${block}</head>`));
    expect(embedded(once ?? '', block)).toBe(once);
    expect(embedded(once ?? '', NEW)).toBe(embedded(page, NEW));
    expect(embedded(once ?? '', null)).toBe(page);
  });
});

/** Each page with `^` where the block goes. */
const PLACES: Readonly<Record<string, string>> = {
  'before the end of the head': '<!doctype html><html><head><title>x</title>^</head><body></body></html>',
  'in any case, with spaces': '<HTML><HEAD>^</HEAD ><BODY></BODY></HTML>',
  'before a body without head tags': '<!doctype html><title>x</title>^<body class=a><p>x',
  'before the end of a body': '<!doctype html><p>x^</body>',
  'before the end of a page': '<!doctype html><p>x^</html>',
  'at the end of a page without end tags': '<!doctype html><title>x</title><p>x^',
  'before a frameset': '<!doctype html><title>x</title>^<frameset></frameset>',
  'not in a comment': '<!doctype html><html><!-- </head> --><head>^</head></html>',
  'after a short comment': '<!doctype html><html><!--><head>^</head> --></html>',
  'after a comment that ends by --!>': '<!doctype html><html><!-- x --!><head>^</head> --></html>',
  'not in a title': '<html><head><title></head></title>^</head></html>',
  'not in a script': '<html><head><script>"</head>"</script>^</head></html>',
  'not in a script within a comment of a script':
    '<html><head><script><!-- "<script></script></head>" --></script>^</head></html>',
  'after a comment of a script': '<html><head><script><!-- "</head>" --> </script>^</head></html>',
  'not in a style': '<html><head><style>/*</head>*/</style>^</head></html>',
  'not in a value with quotes': '<html><head><meta content="</head>">^</head></html>',
  'nor in one with the other': "<html><head><meta content='</head>\"'>^</head></html>",
  'after a value without quotes': "<html><head><meta content=it's>^</head></html>",
  'behind a name that begins with =': '<html><head><p ="a>^</head></html>',
  'not in what looks alike': '<html><headless></headless><head>^</head></html>',
  'after a drawing with an empty title': '<!doctype html><p><svg><title/><style/></svg>^</body>',
  'after a processing instruction': '<?xml version="1.0"?><html><head>^</head></html>',
  'behind a lone <': '<html><head><title>x</title>^</head><body>1 < 2 <3 </ x</body></html>',
};

describe('the block is inserted', () => {
  it.each(Object.entries(PLACES))('%s', (_, page) => {
    expect(embedded(page.replace('^', ''))).toBe(page.replace('^', NEW));
  });

  it('in place of an earlier one in the head, and only there', () => {
    const page = (head: string, body: string) =>
      `<html><head>${head}<link></head><body>${body}</body></html>`;
    expect(embedded(page(OLD, ''))).toBe(page(NEW, ''));
    expect(embedded(page(OLD, OLD))).toBe(page(NEW, ''));
    expect(embedded(page('', OLD))).toBe(`<html><head><link>${NEW}</head><body></body></html>`);
    expect(embedded(page(OLD, OLD), null)).toBe(page('', ''));
  });

  it('in nothing that is not a page, or ends within a tag, comment or text', () => {
    for (const other of ['', '<p>part</p>', '{"html": "<p>"}', '\u001f\u008b\u0008<abc']) {
      expect(embedded(other)).toBe(other);
    }
    for (const end of ['<p title="', '<!-- ', '<textarea>', '<script>', '<title>x']) {
      expect(embedded(`<!doctype html><p>${end}`)).toBe(`<!doctype html><p>${end}`);
    }
  });

  it('in no page that ends within one of our blocks', () => {
    expect(embedded(`<html><head></head><body>${OLD.replace('</script>', '')}`)).toBeNull();
  });

  it.each([
    ['<script data-touchstone>{}</script >', true],
    ['<SCRIPT DATA-Touchstone="" type=x>{}</SCRIPT>', true],
    ["<script\ntype='a'\n\tdata-touchstone='1'>{}</script\n>", true],
    ['<script data-touchstones>{}</script>', false],
    ['<script title="a data-touchstone b">{}</script>', false],
    ['<div data-touchstone>{}</div>', false],
    [`<script ${'a'.repeat(5_000)} data-touchstone>{}</script>`, false],
  ])('%# distinguishes our blocks from others', (script, isOurs) => {
    const page = `<html><body>${script}</body></html>`;
    expect(embedded(page, null)).toBe(isOurs ? '<html><body></body></html>' : page);
  });
});

const markup = fc.oneof(
  ...[
    ...Object.values(PLACES),
    OLD,
    NEW,
    '<p>',
    '</p>',
    '<div class="a" hidden>',
    '<my-element a=\'>\' b = ">"/>',
    '<product-recommendations x="1">',
    '<li value=">>',
    '<i="a>',
    ' href=y>',
    ' ="',
    '<!--',
    '-->',
    '<script>',
    '</script>',
    '<',
    '"',
    'é',
  ]
    .map((text) => text.replace('^', ''))
    .map(fc.constant),
  fc.string(),
);
const pages = fc.array(markup, { maxLength: 8 }).map((parts) => parts.join(''));

describe('for any page', () => {
  it('the output does not depend on how its bytes are split', () => {
    fc.assert(
      fc.property(pages, fc.array(fc.nat(300)), (page, cuts) => {
        const whole = bytes(page);
        const embedder = createHtmlEmbedder(NEW);
        const at = [0, ...cuts.filter((cut) => cut < whole.length).toSorted((a, b) => a - b), whole.length];
        const pieces = at.slice(1).flatMap((to, index) => [...embedder.write(whole.subarray(at[index], to))]);
        const done = embedCertificate(whole, NEW);
        const out = textOf([...pieces, ...embedder.end()]);
        expect(embedder.isCutOff()).toBe(done === null);
        if (done !== null) expect(out).toBe(textOf([done.html]));
      }),
    );
  });

  it('and neither if they arrive one at a time, so that no tag is ever seen whole', () => {
    fc.assert(
      fc.property(pages, (page) => {
        const embedder = createHtmlEmbedder(NEW);
        const pieces = [...bytes(page)].flatMap((byte) => [...embedder.write(Uint8Array.of(byte))]);
        const out = textOf([...pieces, ...embedder.end()]);
        const done = embedded(page);
        expect(embedder.isCutOff()).toBe(done === null);
        if (done !== null) expect(out).toBe(done);
      }),
    );
  });

  it('inserting twice equals inserting once, and removing restores the page', () => {
    fc.assert(
      fc.property(pages, (page) => {
        const bare = embedded(page, null);
        if (bare === null) return;
        const once = embedded(bare);
        if (once === null) throw new Error('the block itself was cut off');
        expect(embedded(once)).toBe(once);
        expect(embedded(once, null)).toBe(bare);
      }),
    );
  });

  it('bytes of any encoding are unchanged', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (noise) => {
        const page = Buffer.concat([bytes('<!doctype html><p>'), noise, bytes('</body>')]);
        const done = embedCertificate(page, NEW);
        if (done?.isPut) expect(Buffer.from(embedCertificate(done.html, null)?.html ?? [])).toEqual(page);
      }),
    );
  });
});
