import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { DOMAIN, type ImageScene, imageScene, problem } from './testing.ts';

let scene: ImageScene;

beforeAll(async () => {
  scene = await imageScene();
});
afterAll(() => scene.close());

describe('400: a payload that is invalid or lacks what is required', () => {
  it.each([
    ['nothing', '', ['body'], 'missing'],
    ['no JSON', '{"domain":', ['body', 10], 'json_invalid'],
    ['a list', [], ['body'], 'dict_type'],
    ['no domain', {}, ['body', 'domain'], 'missing'],
    ['a domain that is not a string', { domain: 7 }, ['body', 'domain'], 'string_type'],
    ['a domain with a scheme', { domain: 'https://shop.example' }, ['body', 'domain'], 'value_error'],
    ['a domain with a port', { domain: 'shop.example:443' }, ['body', 'domain'], 'value_error'],
    ['a domain with a path', { domain: 'shop.example/cup' }, ['body', 'domain'], 'value_error'],
    ['a domain with credentials', { domain: 'me@shop.example' }, ['body', 'domain'], 'value_error'],
    ['an address of a machine', { domain: '127.0.0.1' }, ['body', 'domain'], 'value_error'],
    ['an empty domain', { domain: '' }, ['body', 'domain'], 'value_error'],
    [
      'a field that is not a string',
      { domain: DOMAIN, verifyField: 1 },
      ['body', 'verifyField'],
      'string_type',
    ],
    [
      'a value without its field',
      { domain: DOMAIN, fieldValue: 'x' },
      ['body', 'verifyField'],
      'value_error',
    ],
  ])('%s', async (_, body, loc, type) => {
    const answer = await scene.verify(body);
    expect(answer.status).toBe(400);
    expect(answer.json).toEqual(
      problem(400, 'bad_request', { errors: [expect.objectContaining({ loc, type })] }),
    );
    expect(answer.headers.get('content-type')).toBe('application/problem+json');
  });

  it('names every fault at once', async () => {
    const { status, json } = await scene.verify({ verifyField: 1, fieldValue: 2 });
    expect([status, json.errors.map(({ loc }: { loc: string[] }) => loc[1])]).toEqual([
      400,
      ['domain', 'verifyField', 'fieldValue'],
    ]);
  });

  it('before the image is looked up', async () => {
    const answer = await scene.verify({}, '00000000-0000-4000-8000-000000000000');
    expect(answer.status).toBe(400);
  });
});
