import { TOOLS } from '@touchstone/contract/tools';
import { expect, test } from 'vitest';
import { createToolBox } from './server.ts';

const schemas = createToolBox('1.2.3', {}).toolList.tools.flatMap(
  ({ name, inputSchema, outputSchema = {} }) => [
    { name, io: 'input', json: inputSchema },
    { name, io: 'output', json: outputSchema },
  ],
);

test.each(schemas)(
  'the $io schema of $name has its members at the root, for clients that look nowhere else',
  ({ io, json }) => {
    expect(json).toMatchObject({
      type: 'object',
      [io === 'input' ? 'properties' : 'anyOf']: expect.anything(),
    });
    expect(json).not.toHaveProperty('$ref');
  },
);

test.each(schemas)(
  'the $io schema of $name contains nothing that draft 7 interprets differently',
  ({ json }) => {
    const text = JSON.stringify(json);
    expect(text).not.toMatch(/"prefixItems"|"items":false|"type":\[/);
    const references = [...text.matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g)].map(([, name]) => name);
    for (const name of references) expect(json.$defs).toHaveProperty(name ?? '');
  },
);

test('every tool of the contract can be called, and no other', () => {
  expect(Array.from(createToolBox('1.2.3', {}).tools.keys())).toEqual(TOOLS.map(({ name }) => name));
});
