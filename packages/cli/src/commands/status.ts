import type { Store } from '@touchstone/contract';
import type { Command } from 'commander';
import { EXIT, type ExitCode } from '../cli-error.ts';
import { type Paint, safe, table } from '../output/text.ts';
import { PARTS } from '../parts.ts';
import { addRegistryCommand } from '../registry/registry-command.ts';
import { everyItem } from '../registry-client.ts';
import type { Session } from '../session.ts';
import { type StatusPart, unlessLeftOut } from '../status/status-part.ts';
import { CORE_STATUS } from '../status/store-status.ts';

const STATUS_PARTS = [...CORE_STATUS, ...PARTS.flatMap(({ status = [] }) => status)];

export function addStatus(program: Command, session: Session): void {
  addRegistryCommand(program, session, {
    words: 'status [store-id]',
    description: 'Summarise a store, with the next steps; without a store, list all stores.',
    example: 'status 6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01',
    run: async ({ client, args: [id], session: { paint } }) => {
      const stores = id === undefined ? await allStores(client) : [];
      const wanted = id ?? (stores.length === 1 ? stores[0]?.id : undefined);
      if (wanted === undefined) return { value: { stores }, words: () => storeList(stores) };
      const store = await client.call('getStore', { params: { store_id: wanted } });
      const read = STATUS_PARTS.map((part) => unlessLeftOut(part(client, store)));
      const parts = (await Promise.all(read)).flat();
      const { name, url, platform } = store;
      const value = {
        store: { id: store.id, name, url, platform },
        summary: summaryOf(parts),
        standing: Object.fromEntries(parts.map((part) => [part.name, part.state])),
        ...Object.fromEntries(parts.map((part) => [part.name, part.value])),
        toDo: parts.flatMap(({ nextSteps }) => nextSteps),
      };
      return { value, words: () => page(store, parts, paint), exit: exitOf(parts) };
    },
  });
}

function allStores(client: Parameters<(typeof STATUS_PARTS)[number]>[0]) {
  return everyItem(
    (cursor) => client.call('listStores', { query: { cursor } }),
    ({ stores }) => stores,
  );
}

function storeList(stores: readonly Pick<Store, 'id' | 'url' | 'name'>[]): string {
  if (stores.length === 0)
    return 'There is no store. Create one: touchstone stores create --url <home page>\n';
  return `Choose a store:\n${table(stores.map(({ id, url, name }) => [id, url, name]))}`;
}

const STYLES = { well: 'good', working: 'unsure', open: 'unsure', failed: 'bad' } as const;
const STATES = { well: 'ok', working: 'working', open: 'to do', failed: 'failed' } as const;

/** The overall status in a sentence. */
function summaryOf(parts: readonly StatusPart[]): string {
  const named = (state: StatusPart['state']) =>
    parts
      .filter((part) => part.state === state)
      .map(({ name }) => name)
      .join(', ');
  const [failed, open, working] = [named('failed'), named('open'), named('working')];
  const sentences = [
    ...(failed === '' ? [] : [`Something failed: ${failed}.`]),
    ...(open === '' ? [] : [`Something is to be done: ${open}.`]),
    ...(working === '' ? [] : [`In progress: ${working}.`]),
  ];
  return sentences.length === 0 ? 'Everything is in order.' : sentences.join(' ');
}

function page({ id, name, url }: Store, parts: readonly StatusPart[], paint: Paint): string {
  const rows = parts.flatMap((part) =>
    part.says.map((text, index) => [
      index === 0 ? part.name : '',
      index === 0 ? stateCell(part, paint) : '',
      text,
    ]),
  );
  const nextSteps = parts.flatMap((part) => part.nextSteps);
  const next =
    nextSteps.length === 0
      ? 'There is nothing to do.\n'
      : `What to do\n${nextSteps.map((text) => `  - ${safe(text)}\n`).join('')}`;
  const title = `${paint('strong', safe(name))}  ${safe(url)}  ${safe(id)}`;
  return `${title}\n${summaryOf(parts)}\n${table(rows)}${next}`;
}

/** Also as a word: colours are not read out, and not everybody sees them. */
function stateCell({ state }: StatusPart, paint: Paint) {
  const text = STATES[state];
  return { text, shown: paint(STYLES[state], text) };
}

function exitOf(parts: readonly StatusPart[]): ExitCode {
  if (parts.some(({ state }) => state === 'failed')) return EXIT.failed;
  return parts.every(({ state }) => state === 'well') ? EXIT.verified : EXIT.unverified;
}
