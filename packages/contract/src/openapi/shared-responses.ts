import { PROBLEM_MEDIA_TYPE } from '../errors.ts';
import type { JsonObject } from './components.ts';

interface Operations {
  readonly [method: string]: { readonly responses: Record<string, JsonObject> };
}

/**
 * Replaces the error responses that several operations have in common by references.
 *
 * @returns the shared responses by name, for `components.responses`
 */
export function shareErrorResponses(paths: Readonly<Record<string, Operations>>): Record<string, JsonObject> {
  const all = Object.values(paths)
    .flatMap((methods) => Object.values(methods))
    .flatMap(({ responses }) => Object.keys(responses).map((status) => ({ responses, status })))
    .filter(({ status }) => Number(status) >= 400);
  const alike = Map.groupBy(all, ({ responses, status }) => status + JSON.stringify(responses[status]));
  const shared: Record<string, JsonObject> = {};
  for (const places of [...alike.values()].filter(({ length }) => length > 1)) {
    const [{ responses, status }] = places as [(typeof all)[number]];
    const response = responses[status] as JsonObject;
    const name = freeName(nameOf(response), shared);
    shared[name] = response;
    for (const place of places) place.responses[place.status] = { $ref: `#/components/responses/${name}` };
  }
  return Object.fromEntries(Object.entries(shared).toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

/** The response's one code, or the title of its status; then what else sets it apart. */
function nameOf({ content, description, headers }: JsonObject): string {
  const codes = [...String(description).matchAll(/^- `(\w+)`/gm)].map(([, code = '']) => code);
  const problem = (content as JsonObject)[PROBLEM_MEDIA_TYPE] as { example: { title: string } } | undefined;
  const base = codes.length === 1 ? codes[0] : (problem?.example.title ?? 'Validation failed');
  const names = Object.keys(headers as JsonObject);
  return [
    pascalCase(base ?? ''),
    names.includes('Access-Control-Allow-Origin') ? 'ForAnyOrigin' : '',
    names.includes('Idempotency-Replayed') ? 'Repeatable' : '',
  ].join('');
}

const pascalCase = (words: string): string =>
  words.replace(/(?:^|[\s_]+)(\w)/g, (_, letter: string) => letter.toUpperCase());

function freeName(name: string, taken: Readonly<Record<string, unknown>>): string {
  for (let number = 1; ; number += 1) {
    const candidate = number === 1 ? name : `${name}${number}`;
    if (!(candidate in taken)) return candidate;
  }
}
