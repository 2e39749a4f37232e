import { expect, test } from 'vitest';
import { createToolBox } from './server.ts';

const schemas = createToolBox().tools.flatMap(({ name, inputSchema, outputSchema }) => [
  { name, io: 'input', json: inputSchema['~standard'].jsonSchema.input({ target: 'draft-2020-12' }) },
  { name, io: 'output', json: outputSchema['~standard'].jsonSchema.output({ target: 'draft-2020-12' }) },
]);

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

test.each(schemas)('the $io schema of $name holds nothing that draft 7 reads otherwise', ({ json }) => {
  const text = JSON.stringify(json);
  expect(text).not.toMatch(/"prefixItems"|"items":false|"type":\[/);
  const references = [...text.matchAll(/"\$ref":"#\/\$defs\/(\w+)"/g)].map(([, name]) => name);
  for (const name of references) expect(json.$defs).toHaveProperty(name ?? '');
});

test('the schema that is shown is made once, not for every request', () => {
  const [tool] = createToolBox().tools;
  const json = () => tool?.outputSchema['~standard'].jsonSchema.output({ target: 'draft-2020-12' });
  expect(json()).toBe(json());
});
