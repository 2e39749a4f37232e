import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Asked, inParallel } from '../stress/support/client.ts';
import type { Answer } from '../stress/support/contract.ts';
import { session } from '../stress/support/session.ts';

const folder = join(
  process.env.TOUCHSTONE_CORPORA ?? join(import.meta.dirname, '../../../shared/corpora'),
  'json-parsing',
);
const isThere = existsSync(folder);
const FILES = isThere ? readdirSync(folder).filter((name) => name.endsWith('.json')) : [];

/** `y_` must parse, `n_` must not, `i_` may; with the exceptions of the browser's own parser (BOM, UTF-16). */
interface Case {
  readonly name: string;
  readonly bytes: Buffer;
}

const read = (name: string): Case => ({ name, bytes: readFileSync(join(folder, name)) });

describe.skipIf(!isThere)('the JSON parsing test suite', () => {
  const here = session('JSON texts');

  async function ask(
    method: string,
    path: string,
    body: Asked['body'],
    type = 'application/json',
  ): Promise<Answer> {
    const headers = { authorization: `Bearer ${here.world.service.operatorKey}`, 'content-type': type };
    const answer = await here.ask({
      method,
      path: `/api/v1/${path}`,
      headers,
      ...(body === undefined ? {} : { body }),
    });
    return answer;
  }

  const details = (answer: Answer) =>
    (JSON.parse(answer.body.toString()) as { detail: { type: string }[] }).detail.map(({ type }) => type);
  const around = (before: string, { bytes }: Case, after: string) =>
    Buffer.concat([Buffer.from(before), bytes, Buffer.from(after)]);

  it('contains all three kinds', () => {
    for (const kind of ['y_', 'n_', 'i_'])
      expect(FILES.filter((name) => name.startsWith(kind)).length).toBeGreaterThan(30);
  });

  it.each(FILES)('%s as a whole body is refused with the right status', async (name) => {
    const { bytes } = read(name);
    // an empty body counts as missing, whatever its type
    const fault = bytes.length === 0 ? 'missing' : 'json_invalid';
    const bodies: [string, string][] = [
      ['POST', `mc4p/products/${here.world.mine.products[0]?.id}/verify`],
      ['POST', 'mc4p/page-checks'],
      ['POST', 'registry/merchants'],
    ];
    for (const [method, path] of bodies) {
      const answer = await ask(method, path, bytes);
      // none of them is a valid request
      expect(answer.status).toBe(422);
      if (name.startsWith('y_')) expect(details(answer)).not.toContain('json_invalid');
      if (name.startsWith('n_')) expect(details(answer)).toEqual([fault]);
    }
    const rows = await ask('PUT', `registry/stores/${here.world.mine.storeId}/products`, bytes);
    if (name.startsWith('n_')) expect(details(rows)).toEqual([fault]);
    else expect([200, 422]).toContain(rows.status);
    const lines = await ask(
      'PUT',
      `registry/stores/${here.world.mine.storeId}/products`,
      bytes,
      'application/x-ndjson',
    );
    expect(lines.status).toBe(200);
    for (const line of lines.body.toString().split('\n')) {
      if (line !== '') expect((JSON.parse(line) as { status: string }).status).toBe('error');
    }
  });

  it.each(FILES)('%s as the document of a verification leads to a verdict if it parses', async (name) => {
    const file = read(name);
    const path = `mc4p/products/${here.world.mine.products[0]?.id}/verify`;
    const url = JSON.stringify(here.world.mine.products[0]?.url);
    for (const body of [
      around(`{"productUrl":${url},"document":`, file, '}'),
      around(`{"productUrl":${url},"document":{"proof":{"jwt":"a.b.c"},"x":`, file, '}}'),
    ]) {
      const answer = await ask('POST', path, body);
      if (name.startsWith('y_')) expect(answer.status).toBe(200);
      else expect([200, 422]).toContain(answer.status);
    }
    // the same as text is never rejected
    const text = await ask(
      'POST',
      path,
      JSON.stringify({ productUrl: JSON.parse(url), document: file.bytes.toString() }),
    );
    expect(text.status).toBe(200);
    expect((JSON.parse(text.body.toString()) as { status: string }).status).toBe('unverified');
  });

  it('inside the JSON-LD of pages hide nothing else on them, and break no check', async () => {
    const id = here.world.mine.products[0]?.id;
    const certificate = await ask('GET', `mc4p/products/${id}/certificate`, undefined);
    const url = here.world.mine.products[0]?.url ?? '';
    const block = (text: Buffer | string) =>
      Buffer.concat([
        Buffer.from('<script type="application/ld+json">'),
        Buffer.from(text as Buffer),
        Buffer.from('</script>'),
      ]);
    await inParallel(FILES, 4, async (name) => {
      const file = read(name);
      const page = Buffer.concat([
        Buffer.from('<!doctype html><title>x</title>'),
        block(file.bytes),
        block(certificate.body),
        block(around('{"@type":"Product","name":', file, '}')),
      ]);
      // the page's address with an ignored parameter, so that each page is different, for the same product
      const address = `${url}?ref=${encodeURIComponent(name)}`;
      here.world.shop.put(address, (_, response) => {
        response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page);
      });
      const check = await ask('POST', 'mc4p/page-checks', JSON.stringify({ url: address }));
      expect(check.status, name).toBe(200);
      const report = JSON.parse(check.body.toString()) as { verdict: string };
      expect(`${name} ${report.verdict}`).toBe(`${name} verified`);
    });
  });
});
