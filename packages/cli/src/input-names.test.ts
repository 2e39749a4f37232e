import { describe, expect, it } from 'vitest';
import { type Answer, loopbackServer, runCli } from './testing.ts';

const ID = '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01';

/** A command's error messages, as text and as JSON, for a service that rejects these members. */
async function refused(argv: readonly string[], ...locs: readonly (readonly (string | number)[])[]) {
  const detail = locs.map((loc) => ({
    loc,
    msg: 'Input should be a valid UUID',
    type: 'uuid_parsing',
    input: 'x',
  }));
  const answer: Answer = { status: 422, body: { detail } };
  const server = await loopbackServer(() => answer);
  try {
    const all = [...argv, '--key', 'k'.repeat(20), '--service', server.url];
    const { code, err } = await runCli(all, { stdin: '[{"id":1,"title":"Cup","handle":"cup"}]' });
    const { error } = (await runCli([...all, '--json'])).json() as {
      error: { code: string; errors: { name: string }[] };
    };
    expect([code, error.code]).toEqual([64, 'validation_failed']);
    return { err, names: error.errors.map(({ name }) => name) };
  } finally {
    await server.close();
  }
}

describe('a value that the service cannot use', () => {
  it('is named as it was typed: an option by its name, an argument by its position', async () => {
    const names = async (argv: readonly string[], ...locs: Parameters<typeof refused>[1][]) =>
      (await refused(argv, ...locs)).names;
    expect(await names(['stores', 'show', 'x'], ['path', 'store_id'])).toEqual(['<store-id>']);
    expect(await names(['stores', 'list', '--merchant-id', 'x'], ['query', 'merchantId'])).toEqual([
      '--merchant-id',
    ]);
    const create = ['merchants', 'create', '--name', 'x', '--capacity', '1'];
    expect(await names(create, ['body', 'planCapacity'], ['body', 'name'])).toEqual(['--capacity', '--name']);
    const list = ['products', 'list', ID, '--external-id', 'x'];
    expect(await names(list, ['query', 'externalProductId'], ['query', 'cursor'])).toEqual([
      '--external-id',
      '--cursor',
    ]);
    const hide = ['products', 'hide', ID, '--store', 'x'];
    expect(await names(hide, ['path', 'store_id'], ['body', 'productIds', 0])).toEqual([
      '--store',
      '<product-ids>.0',
    ]);
    for (const option of ['--store', '--store-id'])
      expect(await names(['import', '-', option, 'x'], ['path', 'store_id'])).toEqual([option]);
    expect(await names(['stores', 'show', 'x'], ['body', 'unheardOf', 'part'])).toEqual(['unheardOf.part']);
  });

  it('is reported with its value, and with the command that lists the ids', async () => {
    expect((await refused(['stores', 'show', 'x'], ['path', 'store_id'])).err).toBe(
      'error: The service rejected the input:\n' +
        '  <store-id>: Input should be a valid UUID, got "x"\n' +
        'To list the ids: touchstone stores list\n',
    );
  });
});
