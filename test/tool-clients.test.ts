import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useFolder } from './kit/folder.ts';
import { ROOT } from './kit/imports.ts';
import { type Json, openScene, type Scene, type SceneProduct } from './kit/service.ts';
import { productPage } from './kit/shop.ts';

/** Third-party programs, installed separately: `npm run tools`. */
const FOLDER = join(ROOT, 'tools/mcp');
const CONFORMANCE = 'node_modules/@modelcontextprotocol/conformance/dist/index.js';
const INSPECTOR = 'node_modules/@modelcontextprotocol/inspector/clients/launcher/build/index.js';

/** Scenarios of the conformance suite that apply to this server. */
const SCENARIOS = [
  'server-initialize',
  'ping',
  'tools-list',
  'resources-list',
  'prompts-list',
  'dns-rebinding-protection',
];

/** Why the others do not apply. */
const NOT_APPLICABLE: Readonly<Record<string, readonly string[]>> = {
  'calls a tool that only a reference server has': [
    'tools-call-simple-text',
    'tools-call-image',
    'tools-call-audio',
    'tools-call-embedded-resource',
    'tools-call-mixed-content',
    'tools-call-with-logging',
    'tools-call-error',
    'tools-call-with-progress',
    'tools-call-sampling',
    'tools-call-elicitation',
    'json-schema-2020-12',
    'elicitation-sep1034-defaults',
    'elicitation-sep1330-enums',
  ],
  'reads a resource or gets a prompt that only a reference server has': [
    'resources-read-text',
    'resources-read-binary',
    'resources-templates-read',
    'prompts-get-simple',
    'prompts-get-with-args',
    'prompts-get-embedded-resource',
    'prompts-get-with-image',
  ],
  'needs a capability that is not declared: logging, completions, subscriptions': [
    'logging-set-level',
    'completion-complete',
    'resources-subscribe',
    'resources-unsubscribe',
  ],
  'needs sessions and streams of a server that has neither': [
    'server-sse-polling',
    'server-sse-multiple-streams',
  ],
};

const isInstalled = existsSync(join(FOLDER, CONFORMANCE));
if (!isInstalled) console.log('skipped: clients of others and the conformance suite (npm run tools)');

describe.skipIf(!isInstalled)('the tool server, for third-party programs', () => {
  let scene: Scene;
  let kettle: SceneProduct;
  let certificate: Json;
  const home = useFolder('tools');
  let url: string;

  beforeAll(async () => {
    scene = await openScene();
    const store = await scene.store('shop.example');
    kettle = await store.product('kettle');
    certificate = await scene.certificate(kettle.id);
    scene.shop.put(kettle.url, productPage(certificate));
    url = `${scene.service.url}/mcp`;
  });
  afterAll(async () => {
    await scene.close();
  });

  /** Runs a program of the folder; throws with its output unless it exits with 0. */
  async function run(...args: readonly string[]): Promise<string> {
    const environment = { PATH: process.env.PATH ?? '', HOME: home };
    const ran = await promisify(execFile)(process.execPath, args, { cwd: FOLDER, env: environment });
    return ran.stdout;
  }

  const calls = () => [
    { name: 'verify_svc_certificate', arguments: { productUrl: kettle.url, document: certificate } },
    { name: 'check_product_page', arguments: { url: kettle.url } },
    { name: 'get_product_certificate', arguments: { productId: kettle.id } },
    { name: 'explain_code', arguments: { code: 'url_differs' } },
    { name: 'check_site', arguments: { url: kettle.url } },
    {
      name: 'verify_catalog_items',
      arguments: { items: [{ id: 'kettle', title: 'The kettle', link: kettle.url, certificate }] },
    },
  ];
  const EXPECTED = [
    { status: 'verified' },
    { verdict: 'verified' },
    { '@type': 'Product', proof: expect.anything() },
    { code: 'url_differs' },
    { status: 'proven' },
    { results: [{ result: { status: 'verified', conclusion: { code: 'item_agrees' } } }] },
  ];

  it('runs every scenario of the suite except those that do not apply, each with a reason', async () => {
    const list = await run(CONFORMANCE, 'list', '--server');
    const all = [...list.matchAll(/^ *- ([\w-]+) \[/gm)].map(([, name]) => name);
    expect([...SCENARIOS, ...Object.values(NOT_APPLICABLE).flat()].toSorted()).toEqual(all.toSorted());
  });

  it.each(SCENARIOS)('passes %s of the conformance suite', async (scenario) => {
    const out = await run(CONFORMANCE, 'server', '--url', url, '--scenario', scenario, '-o', home);
    expect(out).toMatch(/Passed: ([1-9]\d*)\/\1, 0 failed, 0 warnings/);
  });

  it('answers every call of the first SDK, which checks each answer against the schema of its tool', async () => {
    const told = JSON.parse(await run('v1-client.js', url, JSON.stringify(calls()))) as {
      tools: string[];
      answers: { structuredContent: Json }[];
    };
    expect(told.tools).toEqual(calls().map(({ name }) => name));
    expect(told.answers.map(({ structuredContent }) => structuredContent)).toMatchObject(EXPECTED);
  });

  it('answers every call of the inspector, which reports no problem in the schemas', async () => {
    const inspect = (...args: readonly string[]) =>
      run(INSPECTOR, '--cli', url, '--transport', 'http', ...args);
    await inspect('--method', 'tools/list', '--strict');
    for (const [i, { name, arguments: given }] of calls().entries()) {
      const pairs = Object.entries(given).flatMap(([key, value]) => [
        '--tool-arg',
        `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`,
      ]);
      const answer = await inspect('--method', 'tools/call', '--tool-name', name, ...pairs);
      expect((JSON.parse(answer) as { structuredContent: Json }).structuredContent).toMatchObject(
        EXPECTED[i] ?? {},
      );
    }
  });
});
