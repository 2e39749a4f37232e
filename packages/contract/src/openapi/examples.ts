import { TITLES } from '../errors.ts';
import type { JsonObject } from './components.ts';
import { exampleOf } from './example.ts';

/** The parts of an OpenAPI operation that get examples. */
interface Described {
  readonly parameters?: readonly (JsonObject & { readonly name: string; readonly schema: JsonObject })[];
  readonly requestBody?: { readonly content: Content };
  readonly responses: Readonly<Record<string, { readonly content?: Content; readonly description: string }>>;
}
type Content = Record<string, JsonObject>;

/** Adds an example to every body, required parameter and response. */
export function addExamples(methods: JsonObject, schemas: JsonObject): void {
  for (const described of Object.values(methods) as Described[]) {
    for (const parameter of described.parameters ?? []) {
      if (parameter.required === true)
        Object.assign(parameter, { example: exampleOf(parameter.schema, schemas, parameter.name) });
    }
    give(described.requestBody?.content, schemas);
    for (const [status, { content, description }] of Object.entries(described.responses)) {
      give(content, schemas);
      const problem = content?.['application/problem+json'];
      if (problem !== undefined) problem.example = problemExample(Number(status), description);
    }
  }
}

function give(content: Content = {}, schemas: JsonObject): void {
  for (const [mediaType, media] of Object.entries(content)) {
    if (!mediaType.endsWith('json') || mediaType.endsWith('ndjson')) continue;
    media.example = exampleOf((media.schema ?? {}) as JsonObject, schemas);
  }
}

/** Example of the first fault listed in the description. */
function problemExample(status: number, description: string): JsonObject {
  const [, code = 'internal', detail = ''] = /^- `(\w+)`: (.+)$/m.exec(description) ?? [];
  return {
    type: `https://certificates.example/docs/codes#${code}`,
    title: TITLES[status as keyof typeof TITLES],
    status,
    detail,
    code,
    requestId: 'req-7f3a',
  };
}
