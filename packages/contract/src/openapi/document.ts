import type { Operation } from '../operation.ts';
import { CSRF_HEADER, SESSION_COOKIE } from '../parts/console/sessions.ts';
import { EVENTS, type EventType, eventSchema } from '../parts/webhooks/events.ts';
import { Components, type JsonObject } from './components.ts';
import { addExamples } from './examples.ts';
import { describeBody, describeParameters } from './requests.ts';
import { describeResponses } from './responses.ts';
import { shareErrorResponses } from './shared-responses.ts';

const TAGS: Readonly<Record<Operation['tag'], string>> = {
  Certificates: 'Public access to certificates.',
  Verification: 'Verdicts on certificates and product pages.',
  Keys: 'The public keys that verify the proofs.',
  Registry: 'Data managed by merchants and the operator: merchants, stores, domains, products, images.',
  Console: 'Further calls used by the console of merchants and the operator.',
  Operations: 'Health and metrics of the service.',
};

const DESCRIPTION = `Touchstone issues and verifies product certificates. They answer the question: was the certificate on this
product page issued for this shop, this page and this product?

**Certificates, verification and keys are public.** To begin, check a page: \`POST /api/v1/mc4p/page-checks\` with
\`{"url": "https://…"}\`.

**The registry requires a key**, sent as \`Authorization: Bearer <key>\`: the operator key, which the service shows at its
first start, or a key of one merchant, created with the operator key. To set up a shop, add a merchant and a store, prove
control of its domain, and add products. Each active product then has a certificate to publish on its page.

Validation errors (422) have the body \`{detail: [{loc, msg, type}]}\`; all other errors are problem documents (RFC 9457) whose
\`code\` is from a [closed list](/docs/codes). If a 422 may be either, its schema is their union: only a problem has a \`code\`.`;

/** Creates the OpenAPI 3.1 document of the operations, in the given order, without unlisted ones. */
export function openApiDocument(operations: readonly Operation[], version: string): JsonObject {
  const components = new Components();
  const listed = operations.filter(({ unlisted }) => unlisted !== true);
  // responses first: if a schema differs as input, that of the request is renamed
  const responses = new Map(listed.map((operation) => [operation, describeResponses(operation, components)]));
  const paths: Record<string, JsonObject> = {};
  for (const operation of listed) {
    const { path, method } = operation;
    const described = describeOperation(operation, responses.get(operation) ?? {}, components);
    paths[path] = { ...paths[path], [method.toLowerCase()]: described };
  }
  const webhooks = describeEvents(components);
  const schemas = components.all();
  for (const described of Object.values({ ...paths, ...webhooks })) addExamples(described, schemas);
  const sharedResponses = shareErrorResponses(paths as Parameters<typeof shareErrorResponses>[0]);
  const used = new Set(listed.map(({ tag }) => tag));
  return {
    openapi: '3.1.1',
    info: {
      title: 'Touchstone',
      version,
      description: DESCRIPTION,
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    tags: Object.entries(TAGS)
      .filter(([name]) => used.has(name as Operation['tag']))
      .map(([name, description]) => ({ name, description })),
    paths,
    webhooks,
    components: {
      schemas,
      responses: sharedResponses,
      securitySchemes: {
        apiKey: {
          type: 'http',
          scheme: 'bearer',
          description: 'The operator key, or a key of one merchant.',
        },
        session: {
          type: 'apiKey',
          in: 'cookie',
          name: SESSION_COOKIE,
          description: `A session of the console, started with a key; over https the cookie is named \`__Host-${SESSION_COOKIE}\`. It is accepted only in calls from pages of the service.`,
        },
        csrfToken: {
          type: 'apiKey',
          in: 'header',
          name: CSRF_HEADER,
          description: '`csrfToken` of the session.',
        },
      },
    },
  };
}

function describeOperation(operation: Operation, responses: JsonObject, components: Components): JsonObject {
  const parameters = describeParameters(operation, components);
  const requestBody = describeBody(operation, components);
  const who = operation.access === 'operator' ? 'Operator keys only.' : '';
  // not as a media type: generated clients would have to expect text in place of every answer, and of every error
  const page =
    operation.page === true ? 'For people (`Accept: text/html`) the answer is a page about it.' : '';
  const description = [operation.description ?? '', page, who].filter((part) => part !== '').join('\n\n');
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    ...(description === '' ? {} : { description }),
    ...securityOf(operation),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    responses,
  };
}

/** Either an API key or a session; methods other than GET with a session also need its CSRF token. */
function securityOf({ access, method }: Operation): JsonObject {
  if (access === 'public') return {};
  const session = { session: [], ...(method === 'GET' ? {} : { csrfToken: [] }) };
  return { security: access === 'session' ? [session] : [{ apiKey: [] }, session] };
}

/** The events sent to webhooks, by type. */
function describeEvents(components: Components): Record<string, JsonObject> {
  const types = Object.keys(EVENTS) as EventType[];
  return Object.fromEntries(types.map((type) => [type, { post: describeEvent(type, components) }]));
}

function describeEvent(type: EventType, components: Components): JsonObject {
  return {
    operationId: `event ${type}`,
    tags: ['Registry'],
    summary: `The event ${type}`,
    description: EVENTS[type].description,
    requestBody: {
      required: true,
      content: { 'application/json': { schema: components.output(eventSchema(type)) } },
    },
    responses: {
      '2XX': {
        description: 'The event was accepted. After any other response, delivery is retried for three days.',
      },
    },
  };
}
