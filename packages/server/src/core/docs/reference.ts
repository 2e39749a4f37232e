import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { getOpenApi, getReferenceScript, getReferenceStart } from '@touchstone/contract';
import { fastify } from 'fastify';
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

/**
 * The reference's script, compressed. It has 4 MB and is rarely requested, so it is loaded on the first request. The
 * package provides it only through its plugin, which is called here without a socket.
 */
export async function loadReferenceBundle(): Promise<Buffer> {
  const { default: plugin } = await import('@scalar/fastify-api-reference');
  const app = fastify();
  try {
    await app.register(plugin, { routePrefix: '/reference', configuration: { url: getOpenApi.path } });
    const answer = await app.inject('/reference/js/scalar.js');
    if (answer.statusCode !== 200)
      throw new Error(`the API reference's script is not there (${answer.statusCode})`);
    return await promisify(gzip)(answer.rawPayload);
  } finally {
    await app.close();
  }
}
