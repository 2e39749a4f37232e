import { describe, expect, test } from 'vitest';
import { envelopeFault, MAX_VALUES } from './envelope.ts';

const request = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: { _meta: {} } };
const values = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, n) => [`n${n}`, n]));
/** Values of `request`, without those of its last object. */
const AROUND = 5;

describe('a message', () => {
  test.each([
    ['a request', request],
    ['a notification', { jsonrpc: '2.0', method: 'notifications/initialized' }],
    ['an answer', { jsonrpc: '2.0', id: 1, result: {} }],
    ['an error', { jsonrpc: '2.0', id: 1, error: { code: 1, message: 'x' } }],
    ['not a message at all', 'x'],
    ['null', null],
  ])('passes as %s', (_what, message) => {
    expect(envelopeFault(message)).toBeNull();
  });

  test.each([
    ['with a member of another name', { ...request, x: 1 }, 'JSON-RPC 2.0 does not define'],
    ['of names only', values(100_000), 'JSON-RPC 2.0 does not define'],
    ['in a batch', [request], 'supported revisions have no batches'],
  ])('is refused %s', (_what, message, why) => {
    expect(envelopeFault(message)).toContain(why);
  });

  test('may have a limited number of values, at any depth', () => {
    const withMeta = (meta: unknown) => ({ ...request, params: { _meta: meta } });
    expect(envelopeFault(withMeta(values(MAX_VALUES - AROUND)))).toBeNull();
    expect(envelopeFault(withMeta(values(MAX_VALUES - AROUND + 1)))).toContain(
      `more than ${MAX_VALUES} values`,
    );
    const list = Array.from({ length: 200 }, () => values(4));
    expect(envelopeFault(withMeta({ list: list.slice(0, 198) }))).toBeNull();
    expect(envelopeFault(withMeta({ list }))).not.toBeNull();
    expect(
      envelopeFault(JSON.parse(`{"params":${'{"a":'.repeat(50_000)}1${'}'.repeat(50_001)}`)),
    ).not.toBeNull();
  });

  test('of a tool is not counted inside its arguments, but their names are', () => {
    const call = {
      ...request,
      method: 'tools/call',
      params: { name: 'x', arguments: { document: values(5_000) } },
    };
    expect(envelopeFault(call)).toBeNull();
    expect(envelopeFault({ ...call, params: { name: 'x', arguments: values(5_000) } })).not.toBeNull();
    expect(envelopeFault({ ...call, method: 'prompts/get' })).not.toBeNull();
    expect(envelopeFault({ ...call, params: { ...call.params, _meta: values(5_000) } })).not.toBeNull();
  });
});
