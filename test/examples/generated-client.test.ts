import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ROOT } from '../kit/imports.ts';
import { toolPath } from '../kit/installed.ts';
import { openScene, type Scene } from '../kit/service.ts';

const run = promisify(execFile);
const GENERATOR = toolPath('api-docs', 'openapi-typescript/bin/cli.js');
const COMPILER = toolPath('api-docs', 'typescript/bin/tsc');

/** A program of an integrator: one function handles the errors of every operation, and of each of their statuses. */
const PROGRAM = `import createClient from 'openapi-fetch';
import type { components, paths } from './schema.ts';

type Failure = components['schemas']['Problem'] | components['schemas']['ValidationError'];

declare const process: { readonly argv: readonly string[] };
const [baseUrl = '', key = ''] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { authorization: 'Bearer ' + key } });

function textOf(failure: Failure): string {
  if ('code' in failure) return failure.code;
  return failure.detail.map(({ loc, type }) => loc.join('.') + ' ' + type).join(', ');
}

const merchantId = '00000000-0000-4000-8000-000000000000';
const found = await client.GET('/api/v1/mc4p/products/{product_id}/certificate', {
  params: { path: { product_id: merchantId } },
});
if (found.error !== undefined) console.log(found.response.status, textOf(found.error));
else console.log(found.data.productID);

for (const url of ['no address', 'http://127.0.0.1/']) {
  const made = await client.POST('/api/v1/registry/webhooks', {
    body: { merchantId, url, events: ['page.unreachable'] },
  });
  if (made.error !== undefined) console.log(made.response.status, textOf(made.error));
}

type OfStatus = paths['/api/v1/registry/webhooks']['post']['responses'][422]['content'];
export const byStatus = (failure: OfStatus['application/json']): string => textOf(failure);
export const byMediaType = (failure: OfStatus['application/problem+json']): string => byStatus(failure);
`;

const OPTIONS = {
  strict: true,
  noEmit: true,
  skipLibCheck: true,
  allowImportingTsExtensions: true,
  module: 'nodenext',
  target: 'es2023',
  lib: ['es2023', 'dom'],
  types: [],
};

describe.skipIf(GENERATOR === null || COMPILER === null)(
  `a client generated from docs/openapi.json${GENERATOR === null ? ' (skipped: npm run tools)' : ''}`,
  () => {
    let scene: Scene;
    let folder: string;
    beforeAll(async () => {
      scene = await openScene();
      // where the program finds its packages
      folder = await mkdtemp(join(ROOT, 'tools/api-docs/generated-'));
    });
    afterAll(async () => {
      await scene.close();
      await rm(folder, { recursive: true, force: true });
    });

    it('compiles with one handler for validation errors and all others, which handles what the service answers', async () => {
      const [schema, program] = [join(folder, 'schema.ts'), join(folder, 'program.ts')];
      await writeFile(join(folder, 'package.json'), '{"type":"module"}');
      await run(process.execPath, [GENERATOR ?? '', join(ROOT, 'docs/openapi.json'), '-o', schema]);
      await writeFile(program, PROGRAM);
      await writeFile(
        join(folder, 'tsconfig.json'),
        JSON.stringify({ compilerOptions: OPTIONS, files: [program] }),
      );
      const compiled = await run(process.execPath, [COMPILER ?? '', '--project', folder]).catch(
        (error: { stdout: string }) => error,
      );
      expect(compiled.stdout).toBe('');
      const { operatorKey = '', url } = scene.service;
      const { stdout } = await run(process.execPath, [program, url, operatorKey]);
      expect(stdout.trim().split('\n')).toEqual([
        '404 product_unknown',
        expect.stringMatching(/^422 body\.url /),
        '422 webhook_url_refused',
      ]);
    });
  },
);
