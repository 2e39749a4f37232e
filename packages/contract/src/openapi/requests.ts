import type { z } from 'zod';
import type { Operation } from '../operation.ts';
import type { Components, JsonObject } from './components.ts';

/** Path, query and header parameters of an operation. */
export function describeParameters(operation: Operation, components: Components): JsonObject[] {
  const parameters = [
    ...parametersOf(operation.params, 'path', components),
    ...parametersOf(operation.query, 'query', components),
  ];
  if (operation.idempotent === true) {
    parameters.push(
      header(
        'Idempotency-Key',
        'A retry with the same key has no second effect and gets the first response again.',
      ),
    );
  }
  if (operation.hot === true)
    parameters.push(header('If-None-Match', 'The ETag of a cached copy: 304 if it is still current.'));
  return parameters;
}

export function describeBody(operation: Operation, components: Components): JsonObject | undefined {
  if (operation.body === undefined) return undefined;
  const content: JsonObject = { 'application/json': { schema: components.input(operation.body) } };
  if (operation.acceptsNdjson === true) {
    content['application/x-ndjson'] = {
      schema: { type: 'string', description: 'One JSON object per line, processed as it arrives.' },
    };
  }
  return { required: !operation.body.safeParse(undefined).success, content };
}

function parametersOf(
  schema: z.ZodType | undefined,
  place: 'path' | 'query',
  components: Components,
): JsonObject[] {
  if (schema === undefined) return [];
  const object = components.input(schema) as {
    properties?: Record<string, JsonObject>;
    required?: readonly string[];
  };
  return Object.entries(object.properties ?? {}).map(([name, { description, ...property }]) => ({
    name,
    in: place,
    required: place === 'path' || (object.required ?? []).includes(name),
    ...(description === undefined ? {} : { description }),
    schema: property,
  }));
}

function header(name: string, description: string): JsonObject {
  return { name, in: 'header', required: false, description, schema: { type: 'string' } };
}
