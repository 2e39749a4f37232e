import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { getOpenApi, getReferenceScript, getReferenceStart } from '@touchstone/contract';
import { htmlPage } from './html.ts';

/** The API reference, with all of its resources from this service. */
export function referencePage(): string {
  return htmlPage({
    title: 'Touchstone API',
    head: '<style>body{margin:0}</style>',
    // the element must be empty: its content would count as the reference rendered by a server
    body: `<div id="app"></div>
<noscript>The reference needs JavaScript; the same is in <a href="${getOpenApi.path}">openapi.json</a>.</noscript>
<script src="${getReferenceScript.path}"></script>
<script src="${getReferenceStart.path}"></script>`,
  });
}

/** Turns off everything that requires requests to other origins. */
export function startScript(): string {
  const configuration = {
    url: getOpenApi.path,
    withDefaultFonts: false,
    telemetry: false,
    hideClientButton: true,
    showDeveloperTools: 'never',
    agent: { disabled: true },
    mcp: { disabled: true },
  };
  return `Scalar.createApiReference('#app', ${JSON.stringify(configuration)});\n`;
}

/** What the plugin registers with a server. */
interface PluginRoute {
  readonly url: string;
  readonly handler: (request: unknown, reply: { header(): unknown; send(body: unknown): unknown }) => unknown;
}

/**
 * The reference's script, compressed. It has 4 MB and is rarely requested, so it is loaded on the first request. The
 * package provides it only as a route of its plugin, which is given a server that does nothing but note the routes.
 */
export async function loadReferenceBundle(): Promise<Buffer> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const routes: PluginRoute[] = [];
  const server = { route: (route: PluginRoute) => void routes.push(route) };
  const options = { routePrefix: '/reference', configuration: { url: getOpenApi.path } };
  (plugin as unknown as (at: typeof server, given: typeof options, done: () => void) => void)(
    server,
    options,
    () => undefined,
  );
  let script: unknown;
  const reply = { header: () => reply, send: (body: unknown) => (script = body) };
  routes.find(({ url }) => url.endsWith('.js'))?.handler({}, reply);
  if (typeof script !== 'string') throw new Error("the API reference's script is not in its package");
  return promisify(gzip)(script);
}
