import { join } from 'node:path';
import { OPERATIONS, type Operation } from '@touchstone/contract';
import { openApiDocument } from '@touchstone/contract/openapi';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useFolder } from '../../../test/kit/folder.ts';
import { withResponses } from '../../contract/src/openapi/testing.ts';
import { describedProgram } from './docs-files.ts';
import { allCommands, wordsOf } from './exits.ts';
import { COLOUR_END, COLOURS } from './output/printing.ts';
import { type Answer, type Asked, type LoopbackServer, loopbackServer, type Ran, runCli } from './testing.ts';

/** Clears a screen, sets a title, colours, reverses, hides, and begins a line that looks like a verdict of ours. */
const ATTACK =
  'x\u001b[2J\u001b[32m\u009b1m\u202e\u2066\u200b\u2028\u0007\r\nVERIFIED  forged\n\u001b]0;t\u0007';
const IN_URL = 'https://shop.example/\u202ex\u001b[2J\u009b1m\u200b\u2028y';
/** Anything but a line feed that controls a terminal, reorders text or is invisible. */
const FORBIDDEN = /[\p{Cf}\p{Zl}\p{Zp}\p{Default_Ignorable_Code_Point}]|(?!\n)\p{Cc}/u;

/** The example of each operation's success, from the API's own description, by operation. */
const EXAMPLES = new Map<string, { readonly status: number; readonly body?: unknown }>();
const described = withResponses(openApiDocument(OPERATIONS, '1')) as {
  paths: Record<string, Record<string, { operationId: string; responses: Record<string, Described> }>>;
};
interface Described {
  readonly content?: Record<string, { readonly example?: unknown }>;
}
for (const { operationId, responses } of Object.values(described.paths).flatMap(Object.values)) {
  const status = Object.keys(responses).find((code) => code < '300') ?? '';
  const [{ example } = {}]: { readonly example?: unknown }[] = Object.values(
    responses[status]?.content ?? {},
  );
  EXAMPLES.set(operationId, { status: Number(status), ...(example === undefined ? {} : { body: example }) });
}

type Injected = { value: unknown };

/** Puts the attack into every text of a value where the reply still is one of this operation, and adds unknown members. */
function poisoned(operation: Operation, status: number, example: unknown): { body: unknown; texts: number } {
  const root: Injected = { value: structuredClone(example) };
  const schema = operation.replies[status]?.schema;
  const holds = () => schema === undefined || schema.safeParse(root.value).success;
  let texts = 0;
  const visit = (holder: Record<string, unknown> | unknown[] | Injected, key: string | number): void => {
    const at = holder as Record<string | number, unknown>;
    const before = at[key];
    if (typeof before === 'string') {
      for (const attack of [ATTACK, IN_URL]) {
        at[key] = attack;
        if (holds()) {
          texts += 1;
          return;
        }
      }
      at[key] = before;
    } else if (typeof before === 'object' && before !== null) {
      for (const inner of Object.keys(before)) visit(before as Record<string, unknown>, inner);
      if (Array.isArray(before)) return;
      at[key] = { ...before, [ATTACK]: ATTACK };
      if (!holds()) at[key] = before;
    }
  };
  visit(root, 'value');
  // otherwise a list would never end
  const body = root.value as { nextCursor?: unknown } | undefined;
  if (typeof body === 'object' && body !== null) delete body.nextCursor;
  return { body: root.value, texts };
}

const problem = (status: number, code: string): Answer => ({
  status,
  body: { type: ATTACK, title: ATTACK, status, detail: ATTACK, code, requestId: ATTACK },
});
const validation: Answer = {
  status: 422,
  body: { detail: [{ loc: ['body', ATTACK], msg: ATTACK, type: ATTACK, input: ATTACK, ctx: { x: ATTACK } }] },
};

let mode: 'replies' | 'problems' | 'validation' | 'unknown codes' | 'redirects' = 'replies';
let injected = 0;
const replies = new Map<string, ReturnType<typeof poisoned>>();
let service: LoopbackServer;
/** How often the command asked for each path; one that waits asks for the same again and again. */
const asked = new Map<string, number>();
const ENOUGH = 3;
let stop = new AbortController();
const folder = useFolder('hostile');
beforeAll(async () => {
  service = await loopbackServer(answer);
});
afterAll(async () => {
  await service.close();
});

function answer({ method, path }: Asked): Answer {
  const times = (asked.get(`${method} ${path}`) ?? 0) + 1;
  asked.set(`${method} ${path}`, times);
  if (times > ENOUGH) stop.abort();
  if (mode === 'problems') return problem(409, 'conflict');
  if (mode === 'unknown codes') return problem(400, ATTACK);
  if (mode === 'validation') return validation;
  if (mode === 'redirects') return { status: 302, headers: { location: 'https://x.example/\u009b2J\u00ad' } };
  const { pathname } = new URL(path, service.url);
  if (pathname.endsWith('/certificates') && pathname.includes('/stores/'))
    return {
      headers: { 'content-type': 'application/x-ndjson' },
      body: `${JSON.stringify({ status: 'aborted', code: 'database_unavailable', detail: ATTACK })}\n`,
    };
  const operation = OPERATIONS.find(
    (one) =>
      one.method === method && new RegExp(`^${one.path.replaceAll(/\{[^}]+\}/g, '[^/]+')}$`).test(pathname),
  );
  const example = EXAMPLES.get(operation?.id ?? '');
  if (operation === undefined || example === undefined) return problem(404, 'route_unknown');
  let made = replies.get(operation.id);
  if (made === undefined) {
    made = poisoned(operation, example.status, example.body);
    replies.set(operation.id, made);
  }
  const { body, texts } = made;
  injected += texts;
  return { status: example.status, ...(body === undefined ? { body: '' } : { body }) };
}

const ID = '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01';
const SHOP = 'https://shop.example';
/** Every command that calls the service. */
const ASKING: readonly (readonly [command: string, ...more: string[]])[] = [
  ['check', `${SHOP}/products/cup`],
  ['batch', '-'],
  ['import', '-', '--store-url', SHOP, '--prune', '--yes'],
  ['certificates', ID],
  ['certificates find', SHOP],
  ['certificates history', ID],
  ['certificates pull', ID],
  ['changes'],
  ['connect shopify', ID],
  ['connect shopify', ID, '--shop', 'example.myshopify.com', '--client-id', 'c'],
  ['domains list', ID],
  ['domains add', ID, 'shop.example'],
  ['domains verify', ID, 'shop.example'],
  ['domains remove', ID, 'shop.example', '--yes'],
  ['domains history', ID, 'shop.example'],
  ['embed', '/no/such/site', '--store', ID],
  ['evidence list'],
  ['evidence download', ID],
  ['evidence delete', ID],
  ['feed certify', '-', '--out', '/no/such/feed', '--store', ID],
  ['images', ID],
  ['images pull', ID],
  ['keys create', '--merchant-id', ID],
  ['keys list', '--merchant-id', ID],
  ['keys revoke', ID, '--merchant-id', ID],
  ['keys signing list'],
  ['keys signing rotate'],
  ['keys signing revoke', 'kid', '--now'],
  ['merchants list'],
  ['merchants show', ID],
  ['merchants create', '--name', 'M', '--capacity', '1'],
  ['merchants update', ID, '--pause'],
  ['products list', ID],
  ['products show', ID],
  ['products hide', ID],
  ['products unhide', ID],
  ['products delete', ID, '--yes'],
  ['products undo', ID],
  ['products withdraw', ID],
  ['withdrawals'],
  ['status-lists merge', '-'],
  ['status'],
  ['status', ID],
  ['stores list'],
  ['stores show', ID],
  ['stores create', '--url', SHOP, '--merchant-id', ID],
  ['stores update', ID, '--sign-images'],
  ['stores delete', ID, '--yes'],
  ['sweeps', ID],
  ['publish'],
  ['sweeps', ID, '--copies'],
  ['webhooks list'],
  ['webhooks create', '--merchant-id', ID, '--url', 'https://hooks.example'],
  ['webhooks change', ID, '--pause'],
  ['webhooks rotate', ID],
  ['webhooks delete', ID],
  ['webhooks test', ID],
  ['webhooks deliveries', ID],
  ['webhooks replay', ID, ID],
];

/** Commands that ask no service, read no answer, or keep running. */
const OTHERS = [
  'completion',
  'database distribute',
  'database migrate',
  'demo',
  'doctor',
  // hostile feeds: feed.test.ts, read-items.test.ts
  'feed verify',
  'health',
  'inspect',
  // hostile entries: monitor.test.ts
  // a hostile list: lookalikes.test.ts; of the service it reads hosts as stores list
  'lookalikes',
  'log audit',
  'log monitor',
  'log proof',
  'mcp',
  'read',
  'serve',
  // a hostile issuer: verify-receipt.test.ts
  'receipt verify',
  // a hostile issuer: withdrawal.test.ts
  'status-lists pull',
  'trust update',
  'verify',
  'witness add-log',
  'witness key',
  'witness run',
];

const shapes = [[], ['--json']] as const;

async function ran([command, ...more]: (typeof ASKING)[number], json: readonly string[], terminal: boolean) {
  const usesPulled = command === 'embed' || command === 'feed certify';
  const option = usesPulled ? '--certificates' : '--out';
  const writes = usesPulled || /pull$|download$/.test(command);
  const out = writes ? [option, join(folder, command)] : [];
  const argv = [...command.split(' '), ...more, ...out, ...json, '--service', service.url];
  const product = JSON.stringify([{ id: 1, title: 'Cup', handle: 'cup' }]);
  const stdin = command === 'batch' ? `${SHOP}/products/cup\n` : product;
  const env = { TOUCHSTONE_KEY: 'tsk_k', TOUCHSTONE_SHOPIFY_SECRET: 's' };
  asked.clear();
  stop = new AbortController();
  return runCli(argv, { env, stdin, terminal, stop: stop.signal });
}

/** Without the colours and the erased lines of this program. */
function bare({ out, err }: Ran): string {
  return [...Object.values(COLOURS), COLOUR_END, '\r\u001b[K'].reduce(
    (text, own) => text.replaceAll(own, ''),
    `${out}\n${err}`,
  );
}

describe('whatever a service answers', () => {
  it.each(['replies', 'problems', 'unknown codes', 'validation', 'redirects'] as const)(
    'no command prints a character that controls the terminal, or a line that it did not write: %s',
    async (what) => {
      mode = what;
      injected = 0;
      const shown = new Set<string>();
      const faults: string[] = [];
      for (const command of ASKING) {
        for (const json of shapes) {
          for (const terminal of [false, true]) {
            const result = await ran(command, json, terminal);
            const text = bare(result);
            const [name] = command;
            for (const line of text.split('\n')) {
              const isOurs = !FORBIDDEN.test(line) && !/^\s*VERIFIED +forged/.test(line);
              if (!isOurs || line.includes('This is a bug in the program')) faults.push(`${name}: ${line}`);
            }
            if (/\\u00(?:1b|9b|ad)/.test(text)) shown.add(name);
          }
        }
      }
      expect(faults).toEqual([]);
      // the attack arrived, and most commands show the texts in which it was
      expect(shown.size).toBeGreaterThan(30);
      if (what === 'replies') expect(injected).toBeGreaterThan(1_000);
    },
    300_000,
  );

  it('so for every command that asks one', () => {
    const commands = allCommands(describedProgram())
      .filter(
        (command) =>
          command.commands.length === 0 ||
          wordsOf(command).join(' ') === 'certificates' ||
          wordsOf(command).join(' ') === 'images',
      )
      .map((command) => wordsOf(command).join(' '));
    expect([...new Set([...ASKING.map(([name]) => name), ...OTHERS])].toSorted()).toEqual(
      commands.toSorted(),
    );
  });
});
