import { createRequire } from 'node:module';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from '../kit/imports.ts';
import { toolPath } from '../kit/installed.ts';
import type { Env } from './worker.ts';

/** The part of workerd that is used; installed by `npm run tools`. */
export interface Workerd {
  fetch(url: string, init?: RequestInit): Promise<Response>;
  close(): Promise<void>;
}

interface Miniflare {
  dispatchFetch(url: string, init?: RequestInit): Promise<Response>;
  dispose(): Promise<void>;
}

export const MINIFLARE = toolPath('edge', 'miniflare/package.json');

export async function openWorkerd(env: Env): Promise<Workerd> {
  const { outputFiles } = await build({
    stdin: {
      contents: "export { worker as default } from './worker.ts';",
      resolveDir: join(ROOT, 'test/publishing'),
    },
    bundle: true,
    format: 'esm',
    write: false,
  });
  const required = createRequire(join(ROOT, 'tools/edge/package.json'))('miniflare') as {
    Miniflare: new (options: object) => Miniflare;
  };
  const miniflare = new required.Miniflare({
    modules: true,
    script: outputFiles[0]?.text,
    compatibilityDate: '2026-07-01',
    bindings: env,
  });
  return {
    // Read at once: the HTTP client of miniflare cancels a body that nobody has begun to read when memory is collected.
    fetch: async (url, init) => {
      const response = await miniflare.dispatchFetch(url, init);
      const body = await response.arrayBuffer();
      const { status, headers } = response;
      return new Response(status === 304 ? null : body, { status, headers: [...headers] });
    },
    close: () => miniflare.dispose(),
  };
}
