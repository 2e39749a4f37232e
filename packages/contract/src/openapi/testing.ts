/** An OpenAPI document in which each reference to a shared response is replaced by the response. */
export function withResponses<Document>(document: object): Document {
  const { components } = document as { components: { responses: Record<string, unknown> } };
  return JSON.parse(JSON.stringify(document), (_, value) => {
    const [, name = ''] = /^#\/components\/responses\/(.+)$/.exec(value?.$ref ?? '') ?? [];
    return components.responses[name] ?? value;
  });
}
