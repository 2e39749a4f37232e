import { spawn } from 'node:child_process';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { PAGE_VERDICTS } from '@touchstone/page';
import { developmentChain } from '@touchstone/server';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useFolder } from '../../../test/kit/folder.ts';
import {
  createTestIssuer,
  TEST_ISSUER,
  TEST_NOW,
  TEST_PRODUCT,
} from '../../certificate/src/testing/issuer.ts';
import { EXIT } from './cli-error.ts';
import { describedProgram } from './docs-files.ts';
import { allCommands, exitsOf, wordsOf } from './exits.ts';
import {
  type Answer,
  type Asked,
  EXIT_OF_VERDICT,
  type LoopbackServer,
  loopbackServer,
  pageCheckReport,
  runCli,
} from './testing.ts';

const MADE_KEY = {
  id: '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01',
  label: '',
  createdAt: '2026-03-01T12:00:00.000Z',
  key: 'tsk_1',
};

/** One way in which a command can end: its input and the exit code. */
interface Row {
  readonly command: string;
  readonly code: number;
  readonly when: string;
  readonly argv: readonly string[];
  readonly stdin?: string;
  readonly env?: Readonly<Record<string, string>>;
}

const BIN = join(import.meta.dirname, '../bin/touchstone.js');
const SHOP = 'https://shop.example';
const EIGHT_DAYS_AGO = new Date(TEST_NOW.getTime() - 8 * 86_400_000);
const FOREIGN_PAGE = 'https://copy.example/products/cup';
const GATE =
  '<html><body class="template-password"><form method="post" action="/password" id="login_form"><input type="password" name="password"></form></body></html>';

const folder = useFolder('exits');
const issuer = await createTestIssuer();
const jwks = join(folder, 'jwks.json');
await writeFile(jwks, JSON.stringify(issuer.jwks));
const authorities = join(folder, 'authorities.pem');
await writeFile(authorities, (await developmentChain(TEST_NOW)).certificateChainPem);
const sound = await issuer.certificate();
const { proof: _, ...identity } = sound;
const keyless = await issuer.certificate({ claims: { iss: 'http://127.0.0.1:1' } });
const keyOfLater = await (await createTestIssuer('later')).certificate();
const expired = await issuer.certificate({ issuedAt: EIGHT_DAYS_AGO });

let service: LoopbackServer;
beforeAll(async () => {
  service = await loopbackServer(answer);
});
afterAll(async () => {
  await service.close();
});

const problem = (status: number, code: string): Answer => ({
  status,
  body: { title: 't', status, detail: 'What happened.', code },
});

/** A service that returns the verdict contained in the page's address, and has one merchant and one store. */
function answer({ method, path, body }: Asked): Answer {
  if (path === '/api/v1/mc4p/page-checks') {
    const { url } = JSON.parse(body) as { url: string };
    const verdict = new URL(url).pathname.slice(1);
    if (verdict === 'limited') return problem(429, 'fresh_rate_limited');
    return verdict === 'refused'
      ? { status: 422, body: { detail: [] } }
      : { body: pageCheckReport(url, verdict) };
  }
  if (path === '/api/v1/registry/webhooks' && method === 'POST') return problem(422, 'webhook_url_refused');
  if (path.endsWith('/shopify') && method === 'PUT') return problem(422, 'shopify_refused');
  if (path.startsWith('/api/v1/registry/merchants/away')) return problem(503, 'database_unavailable');
  if (path.endsWith('/api-keys') && method === 'GET') return { body: { keys: [] } };
  if (path.endsWith('/api-keys')) return { status: 201, body: MADE_KEY };
  if (method === 'DELETE') return { status: 204 };
  return problem(401, 'credentials_invalid');
}

const html = (node: unknown): string => `<script type="application/ld+json">${JSON.stringify(node)}</script>`;
const trusted = ['--issuer', TEST_ISSUER, '--jwks', jwks];

function verifies(when: string, code: number, stdin: string, more: readonly string[] = trusted): Row {
  const page = more.includes('--page-url') ? [] : ['--page-url', TEST_PRODUCT.url];
  return { command: 'verify', code, when, argv: ['verify', '-', ...page, ...more], stdin };
}

const elsewhere = JSON.parse(
  JSON.stringify(sound).replaceAll(TEST_ISSUER, 'https://rogue.example'),
) as unknown;
const copied = [...trusted, '--page-url', FOREIGN_PAGE];
const readEarlier = [...trusted, '--keys-fetched-at', '2026-02-28T12:00:00Z'];
const key = { TOUCHSTONE_KEY: 'tsk_0' };
const importing = ['import', '-', '--store-url', SHOP];
const oneProduct = JSON.stringify([{ id: 1, title: 'Cup', handle: 'cup' }]);

const ID = MADE_KEY.id;
const NOBODY = 'http://127.0.0.1:1';
/** Of signed-note's example. */
const LOG_KEY = 'example.com/foo+530d903a+AekyeRrm56hApGFkyQR4ZCbV54Id2LKaANYcrnKv3U2k';
/** Commands that only call the service: tested without a service, and with an unknown option. */
const ASKING: readonly (readonly [command: string, ...more: string[]])[] = [
  ['sweeps', ID],
  ['status-lists'],
  ['status-lists merge', import.meta.filename],
  ['publish'],
  ['webhooks list'],
  ['webhooks create', '--merchant-id', ID, '--url', 'https://hooks.example'],
  ['webhooks change', ID, '--pause'],
  ['webhooks rotate', ID],
  ['webhooks delete', ID],
  ['webhooks test', ID],
  ['webhooks deliveries', ID],
  ['webhooks replay', ID, ID],
  ['status', ID],
  ['merchants list'],
  ['merchants show', ID],
  ['merchants create', '--name', 'M', '--capacity', '1'],
  ['merchants update', ID, '--pause'],
  ['stores list'],
  ['stores show', ID],
  ['stores create', '--url', SHOP, '--merchant-id', ID],
  ['stores update', ID, '--sign-images'],
  ['stores delete', ID, '--yes'],
  ['domains list', ID],
  ['domains add', ID, 'shop.example'],
  ['domains history', ID, 'shop.example'],
  ['domains verify', ID, 'shop.example'],
  ['domains remove', ID, 'shop.example', '--yes'],
  ['products list', ID],
  ['products show', ID],
  ['products hide', ID],
  ['products unhide', ID],
  ['products delete', ID],
  ['products undo', ID],
  ['products withdraw', ID],
  ['withdrawals'],
  ['certificates find', SHOP],
  ['certificates history', ID],
  ['connect shopify', ID],
];

const ROWS: readonly Row[] = [
  ...ASKING.flatMap(([command, ...more]) => {
    const argv = [...command.split(' '), ...more];
    return [
      { command, code: 3, when: 'no service', argv, env: { ...key, TOUCHSTONE_SERVICE: NOBODY } },
      { command, code: 64, when: 'an option that it has not', argv: [...argv, '--no-such-option'], env: key },
    ];
  }),
  {
    command: 'webhooks create',
    code: 64,
    when: 'the service refuses the address',
    argv: ['webhooks', 'create', '--merchant-id', ID, '--url', 'http://hooks.example'],
    env: key,
  },
  {
    command: 'connect shopify',
    code: 3,
    when: 'the shop refuses the connection',
    argv: ['connect', 'shopify', ID, '--shop', 'example.myshopify.com', '--client-id', 'c'],
    env: { ...key, TOUCHSTONE_SHOPIFY_SECRET: 's' },
  },
  ...['log audit', 'log monitor --domain shop.example'].flatMap((words) => {
    const command = words.split(' ', 2).join(' ');
    const argv = words.split(' ');
    return [
      { command, code: 3, when: 'nothing answers', argv: [...argv, NOBODY] },
      { command, code: 64, when: 'a folder without a log', argv: [...argv, folder] },
    ];
  }),
  {
    command: 'log proof',
    code: 3,
    when: 'nothing answers',
    argv: ['log', 'proof', '-', '--service', NOBODY],
    stdin: JSON.stringify(sound),
  },
  { command: 'log proof', code: 64, when: 'no certificate', argv: ['log', 'proof', '-'], stdin: '{}' },
  { command: 'witness run', code: 64, when: 'no name', argv: ['witness', 'run', '--folder', folder] },
  // below a file there is no folder
  ...['key w.example/1', `add-log ${LOG_KEY}`].map((words) => {
    const [name = '', ...more] = words.split(' ');
    const argv = ['witness', name, ...more, '--folder', join(import.meta.filename, 'w')];
    return { command: `witness ${name}`, code: 3, when: 'no folder', argv };
  }),
  { command: 'witness key', code: 64, when: 'no key', argv: ['witness', 'key', '--folder', folder] },
  { command: 'witness add-log', code: 64, when: 'no log', argv: ['witness', 'add-log', '/no/such/policy'] },
  ...PAGE_VERDICTS.flatMap((verdict) => [
    {
      command: 'check',
      code: EXIT_OF_VERDICT[verdict],
      when: verdict,
      argv: ['check', `${SHOP}/${verdict}`],
    },
    {
      command: 'batch',
      code: EXIT_OF_VERDICT[verdict],
      when: `verified and ${verdict}`,
      argv: ['batch', '-'],
      stdin: `${SHOP}/verified\n${SHOP}/${verdict}`,
    },
  ]),
  { command: 'check', code: 3, when: 'a verdict that nobody knows', argv: ['check', `${SHOP}/splendid`] },
  { command: 'check', code: 3, when: 'over the limit', argv: ['check', `${SHOP}/limited`, '--fresh'] },
  { command: 'check', code: 64, when: 'the service refuses the address', argv: ['check', `${SHOP}/refused`] },
  {
    command: 'check',
    code: 3,
    when: 'nothing answers',
    argv: ['check', `${SHOP}/verified`, '--service', 'http://127.0.0.1:1'],
  },
  {
    command: 'batch',
    code: 3,
    when: 'a line is no address',
    argv: ['batch', '-'],
    stdin: `${SHOP}/verified\nx`,
  },
  { command: 'batch', code: 64, when: 'the list is empty', argv: ['batch', '-'], stdin: '\n' },
  verifies('a sound document', 0, JSON.stringify(sound)),
  verifies('a sound page', 0, html(sound)),
  verifies('an expired document: failed', 1, JSON.stringify(expired)),
  verifies('a copied document: failed', 1, JSON.stringify(sound), copied),
  verifies('a copied page: checks_failed', 1, html(sound), copied),
  verifies('a copied and expired page: checks_failed', 1, html(expired), copied),
  verifies('of another issuer: canonical_mismatch', 1, html(elsewhere)),
  verifies('no usable source: invalid_certificate', 1, html({ ...sound, 'svc:status': {} })),
  verifies('an unsigned document: unverified', 2, JSON.stringify(identity)),
  verifies('an unsigned page: unverified', 2, html(identity)),
  verifies('an expired page: certificate_expired', 2, html(expired)),
  verifies('a page without one: no_certificate', 2, '<p>Cup</p>'),
  verifies('a gate: password_protected', 3, GATE),
  {
    command: 'verify',
    code: 3,
    when: 'a file, without where it was seen',
    argv: ['verify', '-', ...trusted],
    stdin: html(sound),
  },
  verifies('keys older than the proof, without its key', 3, html(keyOfLater), readEarlier),
  verifies('keys of an unknown age, without the key: failed', 1, html(keyOfLater)),
  verifies('a time of the keys that is none', 64, html(sound), [...trusted, '--keys-fetched-at', 'today']),
  verifies('nobody trusted', 3, html(sound), []),
  verifies('no keys to be had', 3, html(keyless).replaceAll(TEST_ISSUER, 'http://127.0.0.1:1'), [
    '--issuer',
    'http://127.0.0.1:1',
  ]),
  {
    command: 'verify',
    code: 3,
    when: 'a blocked address: page_fetch_failed',
    argv: ['verify', 'http://127.0.0.1:1/', ...trusted],
  },
  verifies('an empty file', 64, ''),
  {
    command: 'verify',
    code: 64,
    when: 'a page to fetch and --page-url',
    argv: ['verify', SHOP, '--page-url', SHOP],
  },
  { command: 'read', code: 0, when: 'a page', argv: ['read', '-', '--url', SHOP], stdin: '<p>Cup</p>' },
  { command: 'read', code: 64, when: 'an empty file', argv: ['read', '-', '--url', SHOP], stdin: '' },
  { command: 'import', code: 0, when: 'a sound file', argv: [...importing, '--dry-run'], stdin: oneProduct },
  {
    command: 'import',
    code: 1,
    when: 'a file without products',
    argv: [...importing, '--dry-run'],
    stdin: '[]',
  },
  {
    command: 'import',
    code: 3,
    when: 'a key that is not known',
    argv: importing,
    stdin: oneProduct,
    env: key,
  },
  { command: 'import', code: 64, when: 'no key', argv: importing, stdin: oneProduct },
  { command: 'keys create', code: 0, when: 'made', argv: ['keys', 'create', '--merchant-id', 'm'], env: key },
  {
    command: 'keys create',
    code: 3,
    when: 'away',
    argv: ['keys', 'create', '--merchant-id', 'away'],
    env: key,
  },
  { command: 'keys create', code: 64, when: 'no key', argv: ['keys', 'create'], env: {} },
  { command: 'keys list', code: 0, when: 'listed', argv: ['keys', 'list', '--merchant-id', 'm'], env: key },
  { command: 'keys list', code: 3, when: 'away', argv: ['keys', 'list', '--merchant-id', 'away'], env: key },
  { command: 'keys list', code: 64, when: 'no key', argv: ['keys', 'list'], env: {} },
  {
    command: 'keys revoke',
    code: 0,
    when: 'revoked',
    argv: ['keys', 'revoke', 'k-1', '--merchant-id', 'm'],
    env: key,
  },
  {
    command: 'keys revoke',
    code: 3,
    when: 'away',
    argv: ['keys', 'revoke', 'k-1', '--merchant-id', 'away'],
    env: key,
  },
  {
    command: 'keys revoke',
    code: 64,
    when: 'which?',
    argv: ['keys', 'revoke', '--merchant-id', 'm'],
    env: key,
  },
  ...['list', 'rotate', 'revoke k-1'].flatMap((words) => {
    const argv = ['keys', 'signing', ...words.split(' ')];
    const command = argv.slice(0, 3).join(' ');
    return [
      { command, code: 3, when: 'a key that is not known', argv, env: key },
      { command, code: 64, when: 'no key', argv },
    ];
  }),
  ...['list', 'download e-1', 'delete e-1'].flatMap((words) => {
    const argv = ['evidence', ...words.split(' ')];
    const command = argv.slice(0, 2).join(' ');
    return [
      { command, code: 3, when: 'no service', argv, env: { ...key, TOUCHSTONE_SERVICE: NOBODY } },
      { command, code: 64, when: 'no key', argv },
    ];
  }),
  { command: 'feed verify', code: 3, when: 'no issuer', argv: ['feed', 'verify', '-'], stdin: '[]' },
  { command: 'feed verify', code: 64, when: 'no file', argv: ['feed', 'verify', '/no/such/file'] },
  {
    command: 'feed certify',
    code: 64,
    when: 'no certificates',
    argv: ['feed', 'certify', '-', '--out', '/no/such/feed', '--certificates', '/no/such/folder'],
    stdin: '[]',
  },
  { command: 'receipt verify', code: 3, when: 'no issuer', argv: ['receipt', 'verify', '-'], stdin: 'a.b.c' },
  { command: 'receipt verify', code: 64, when: 'no file', argv: ['receipt', 'verify', '/no/such/file'] },
  { command: 'inspect', code: 3, when: 'no image', argv: ['inspect', '-'], stdin: 'no image' },
  { command: 'inspect', code: 64, when: 'no file', argv: ['inspect', '/no/such/file'] },
  { command: 'changes', code: 3, when: 'a key that is not known', argv: ['changes'], env: key },
  { command: 'changes', code: 64, when: 'no key', argv: ['changes'] },
  {
    command: 'certificates',
    code: 3,
    when: 'a key that is not known',
    argv: ['certificates', 's'],
    env: key,
  },
  { command: 'certificates', code: 64, when: 'no key', argv: ['certificates', 's'] },
  { command: 'images', code: 3, when: 'a key that is not known', argv: ['images', 's'], env: key },
  { command: 'images', code: 64, when: 'no key', argv: ['images', 's'] },
  {
    command: 'doctor',
    code: 1,
    when: 'settings that cannot be used',
    argv: ['doctor'],
    env: { TOUCHSTONE_PORT: 'x' },
  },
  { command: 'doctor', code: 64, when: 'an argument that it has not', argv: ['doctor', 'here'] },
  { command: 'trust update', code: 64, when: 'no file', argv: ['trust', 'update'] },
  {
    command: 'trust update',
    code: 3,
    when: 'settings that cannot be used',
    argv: ['trust', 'update', authorities],
    env: { TOUCHSTONE_PORT: 'x' },
  },
  {
    command: 'database distribute',
    code: 64,
    when: 'an argument that it has not',
    argv: ['database', 'distribute', 'x'],
  },
  { command: 'database distribute', code: 3, when: 'an embedded database', argv: ['database', 'distribute'] },
  { command: 'mcp', code: 64, when: 'an argument that it has not', argv: ['mcp', 'here'] },
  { command: 'status-lists pull', code: 64, when: 'no issuer', argv: ['status-lists', 'pull', '7'] },
  {
    command: 'status-lists pull',
    code: 3,
    when: 'no service',
    argv: ['status-lists', 'pull', '7', '--issuer', NOBODY],
  },
  { command: 'lookalikes', code: 64, when: 'no list', argv: ['lookalikes'] },
  {
    command: 'lookalikes',
    code: 3,
    when: 'no service',
    argv: ['lookalikes', '--hosts', '-', '--key', 'x', '--service', NOBODY],
  },
  { command: 'completion', code: 0, when: 'a shell', argv: ['completion', 'bash'] },
  { command: 'completion', code: 64, when: 'no shell', argv: ['completion'] },
  { command: 'demo', code: 64, when: 'no port', argv: ['demo', '--port', 'x'] },
  { command: 'serve', code: 64, when: 'an option that it has not', argv: ['serve', '--fast'] },
  {
    command: 'database migrate',
    code: 64,
    when: 'an option that it has not',
    argv: ['database', 'migrate', '--fast'],
  },
  { command: 'health', code: 64, when: 'an option that it has not', argv: ['health', '--fast'] },
];

/** Exit codes that need a dedicated service, and the test that covers them. */
const ELSEWHERE: Readonly<Record<string, string>> = {
  'keys signing list 0': 'packages/cli/src/commands/signing-keys.test.ts',
  'keys signing rotate 0': 'packages/cli/src/commands/signing-keys.test.ts',
  'keys signing revoke 0': 'packages/cli/src/commands/signing-keys.test.ts',
  'keys signing revoke 2': 'packages/cli/src/commands/signing-keys.test.ts',
  'receipt verify 0': 'test/scenarios/parts/receipts.test.ts',
  'receipt verify 1': 'test/scenarios/parts/receipts.test.ts',
  'evidence list 0': 'test/scenarios/parts/receipts.test.ts',
  'evidence download 0': 'test/scenarios/parts/receipts.test.ts',
  'evidence delete 0': 'test/scenarios/parts/receipts.test.ts',
  'status-lists pull 0': 'packages/cli/src/commands/withdrawal.test.ts',
  'status-lists pull 1': 'packages/cli/src/commands/withdrawal.test.ts',
  'status-lists merge 0': 'packages/cli/src/commands/withdrawal.test.ts',
  'products withdraw 0': 'packages/cli/src/commands/withdrawal.test.ts',
  'products withdraw 2': 'packages/cli/src/commands/withdrawal.test.ts',
  'withdrawals 0': 'packages/cli/src/commands/withdrawal.test.ts',
  'doctor 0': 'commands/doctor.test.ts',
  'database migrate 0': 'commands/database.test.ts',
  'database migrate 3': 'commands/database.test.ts',
  'health 0': 'commands/health.test.ts',
  'health 1': 'commands/health.test.ts',
  'health 3': 'commands/health.test.ts',
  'serve 0': 'test/stress/kill.test.ts',
  'serve 3': 'below',
  'demo 0': '.ci/run',
  'demo 1': '.ci/run, where it must not come',
  'demo 3': 'below',
  'database distribute 0': 'by hand, on a Citus cluster (docs/measurements.md)',
  'mcp 0': 'below',
  'changes 0': 'commands/changes.test.ts',
  'changes 2': 'commands/changes.test.ts',
  'certificates 0': 'commands/certificates.test.ts',
  'certificates 1': 'commands/certificates.test.ts',
  'certificates 2': 'commands/certificates.test.ts',
  'certificates pull 0': 'commands/certificates.test.ts',
  'certificates pull 1': 'commands/certificates.test.ts',
  'certificates pull 3': 'commands/certificates.test.ts',
  'certificates pull 64': 'commands/certificates.test.ts',
  'embed 0': 'commands/embed.test.ts',
  'embed 1': 'commands/embed.test.ts',
  'embed 3': 'commands/embed.test.ts',
  'embed 64': 'commands/embed.test.ts',
  'images 0': 'commands/images.test.ts',
  'images 1': 'commands/images.test.ts',
  'images 2': 'commands/images.test.ts',
  'images pull 0': 'commands/images-pull.test.ts',
  'images pull 1': 'commands/images-pull.test.ts',
  'images pull 3': 'commands/images-pull.test.ts',
  'images pull 64': 'commands/images-pull.test.ts',
  'status 0': 'registry/registry.test.ts',
  'status 1': 'registry/registry.test.ts',
  'status 2': 'registry/registry.test.ts',
  'merchants list 0': 'registry/registry.test.ts',
  'merchants show 0': 'registry/registry.test.ts',
  'merchants create 0': 'registry/registry.test.ts',
  'merchants update 0': 'registry/registry.test.ts',
  'stores list 0': 'registry/registry.test.ts',
  'stores show 0': 'registry/registry.test.ts',
  'stores create 0': 'registry/registry.test.ts',
  'stores update 0': 'registry/registry.test.ts',
  'stores delete 0': 'registry/registry.test.ts',
  'domains list 0': 'registry/registry.test.ts',
  'domains list 2': 'registry/registry.test.ts',
  'domains add 0': 'registry/registry.test.ts',
  'domains history 0': 'registry/registry.test.ts',
  'domains verify 0': 'registry/registry.test.ts',
  'domains verify 1': 'registry/registry.test.ts',
  'domains remove 0': 'registry/registry.test.ts',
  'products list 0': 'registry/registry.test.ts',
  'products show 0': 'registry/registry.test.ts',
  'products hide 0': 'registry/registry.test.ts',
  'products unhide 0': 'registry/registry.test.ts',
  'products delete 0': 'registry/registry.test.ts',
  'products undo 0': 'registry/registry.test.ts',
  'products hide 2': 'commands/product-actions.test.ts',
  'products unhide 2': 'commands/product-actions.test.ts',
  'products delete 2': 'commands/product-actions.test.ts',
  'products undo 2': 'commands/product-actions.test.ts',
  'certificates find 0': 'registry/registry.test.ts',
  'certificates find 2': 'registry/registry.test.ts',
  'certificates history 0': 'commands/certificates.test.ts',
  'feed certify 0': 'parts/items/feed-certify.test.ts',
  'feed certify 1': 'parts/items/feed-certify.test.ts',
  'feed certify 2': 'parts/items/feed-certify.test.ts',
  'feed certify 3': 'parts/items/feed-certify.test.ts',
  'feed verify 0': 'parts/items/feed.test.ts',
  'feed verify 1': 'parts/items/feed.test.ts',
  'feed verify 2': 'parts/items/feed.test.ts',
  'lookalikes 0': 'parts/sites/lookalikes.test.ts',
  'lookalikes 2': 'parts/sites/lookalikes.test.ts',
  'sweeps 0': 'commands/sweeps.test.ts',
  'sweeps 1': 'commands/sweeps.test.ts',
  'sweeps 2': 'commands/sweeps.test.ts',
  'log audit 0': 'parts/transparency-log/audit.test.ts',
  'log audit 1': 'parts/transparency-log/audit.test.ts',
  'log monitor 0': 'parts/transparency-log/monitor.test.ts',
  'log monitor 1': 'parts/transparency-log/monitor.test.ts',
  'log proof 0': 'parts/transparency-log/proof.test.ts',
  'log proof 1': 'parts/transparency-log/proof.test.ts',
  'log proof 2': 'parts/transparency-log/proof.test.ts',
  'witness run 0': 'parts/transparency-log/witness/witness.test.ts',
  'witness run 3': 'parts/transparency-log/witness/witness.test.ts',
  'witness key 0': 'parts/transparency-log/witness/witness.test.ts',
  'witness add-log 0': 'parts/transparency-log/witness/witness.test.ts',
  'status-lists 0': 'parts/status-lists/status-lists.test.ts',
  'publish 0': 'test/parts/publish.test.ts',
  'publish 1': 'parts/publish/publish.test.ts',
  'connect shopify 0': 'commands/connect.test.ts',
  'connect shopify 2': 'commands/connect.test.ts',
  'webhooks list 0': 'commands/webhooks.test.ts',
  'webhooks list 2': 'commands/webhooks.test.ts',
  'webhooks create 0': 'commands/webhooks.test.ts',
  'webhooks change 0': 'commands/webhooks.test.ts',
  'webhooks rotate 0': 'commands/webhooks.test.ts',
  'webhooks delete 0': 'commands/webhooks.test.ts',
  'webhooks test 0': 'commands/webhooks.test.ts',
  'webhooks test 1': 'commands/webhooks.test.ts',
  'webhooks deliveries 0': 'commands/webhooks.test.ts',
  'webhooks deliveries 1': 'commands/webhooks.test.ts',
  'webhooks replay 0': 'commands/webhooks.test.ts',
  'trust update 0': 'commands/trust.test.ts',
  'trust update 1': 'commands/trust.test.ts',
  'inspect 0': 'commands/inspect.test.ts',
  'inspect 1': 'commands/inspect.test.ts',
  'inspect 2': 'commands/inspect.test.ts',
};

describe('exit codes', () => {
  it.each(ROWS)('$command exits $code: $when', async ({ argv, code, stdin = '', env = {} }) => {
    const ran = await runCli(argv, {
      stdin,
      now: TEST_NOW,
      env: { TOUCHSTONE_SERVICE: service.url, ...env },
    });
    expect(ran.code, ran.err).toBe(code);
    // no output never means success, nor anything else
    expect((ran.out + ran.err).length).toBeGreaterThan(10);
    if (code === EXIT.usage) expect(ran.out).toBe('');
  });

  it('of every command are all in the table, and no others', () => {
    const commands = allCommands(describedProgram()).filter(
      (command) =>
        command.commands.length === 0 || (wordsOf(command).length > 0 && exitsOf(wordsOf(command)) !== null),
    );
    const told = commands.flatMap((command) =>
      (exitsOf(wordsOf(command)) ?? [[Number.NaN]]).map(([code]) => `${wordsOf(command).join(' ')} ${code}`),
    );
    const shown = ROWS.map(({ command, code }) => `${command} ${code}`);
    expect([...new Set([...shown, ...Object.keys(ELSEWHERE)])].toSorted()).toEqual(told.toSorted());
  });

  it('of commands that keep running: a port in use, an agent that disconnects', async () => {
    // the demo's shop uses the port after the given one
    const taken = await runCli(['demo', '--port', String(service.port - 1)]);
    expect(taken).toMatchObject({ code: EXIT.cannotTell, err: expect.stringContaining('in use') });
    const both = await runCli(['demo', '--port', String(service.port)]);
    expect(both.code).toBe(EXIT.cannotTell);
    expect(both.err).toMatch(/^error: Port \d+ of this machine is in use.*\nChoose another pair of ports: /);
    expect(await runCli(['mcp'], { stdin: '' })).toMatchObject({ code: EXIT.verified, out: '' });
  });

  it('of a process are never a verdict by accident', async () => {
    const refused = await ended(['serve'], 'pipe', { TOUCHSTONE_PORT: 'x' });
    expect(refused).toBe(EXIT.cannotTell);
    const full = await open('/dev/full', 'w').catch(() => null);
    if (full === null) return;
    expect(await ended(['read', '-', '--url', SHOP], full.fd)).toBe(EXIT.cannotTell);
    await full.close();
  });
});

/** The exit code of a process with this standard output. */
function ended(argv: readonly string[], out: 'pipe' | number, env = {}): Promise<number | null> {
  return new Promise((resolve) => {
    const child = spawn(process.execPath, [BIN, ...argv], {
      env: { PATH: process.env.PATH ?? '', ...env },
      stdio: ['pipe', out, 'ignore'],
    });
    child.stdin?.end('<p>Cup</p>');
    child.on('close', resolve);
  });
}
