import type { ProductActionName, ProductList, RegistryChange } from '@touchstone/contract';
import { useEffect, useRef, useState } from 'preact/hooks';
import { fill } from '../../ui/text.tsx';
import { useAction, useRepeat } from '../loading.ts';
import { Confirm } from '../parts/dialog.tsx';
import { Bar } from '../parts/display.tsx';
import { TextField } from '../parts/fields.tsx';
import { ErrorNotice, Notice } from '../parts/notices.tsx';
import { useFormat, useTools, useWords } from '../tools.ts';
import type { ProductTable } from './product-table.ts';

interface BulkProps {
  readonly storeId: string;
  readonly table: ProductTable;
  readonly list: ProductList;
  readonly selected: ReadonlySet<string>;
  readonly onSelect: (selected: ReadonlySet<string>) => void;
  readonly onChange: () => void;
}

const ACTIONS = ['hide', 'show', 'withdraw', 'delete'] as const satisfies readonly ProductActionName[];

/** Actions on the selected products, and how to undo them. */
export function BulkActions({ storeId, table, list, selected, onSelect, onChange }: BulkProps) {
  const { client } = useTools();
  const { products: words } = useWords();
  const { count } = useFormat();
  const [isAll, chooseAll] = useState(false);
  const [asked, ask] = useState<(typeof ACTIONS)[number]>();
  const [reason, giveReason] = useState('');
  const [change, follow] = useState<RegistryChange>();
  const ids = list.products.map(({ id }) => id);
  const isPage = ids.length > 0 && ids.every((id) => selected.has(id));
  // bulk actions support searches by name and state; other searches find few products anyway
  const canChooseAll =
    isPage && list.nextCursor !== undefined && (table.text === undefined || (table.by ?? 'q') === 'q');
  useEffect(() => {
    if (!isPage) chooseAll(false);
  }, [isPage]);
  const action = useAction(async () => {
    if (asked === undefined) return;
    const { state, text } = table;
    const filter = {
      ...(state === undefined || state === 'deleted' ? {} : { state }),
      ...(text === undefined ? {} : { q: text }),
    };
    const why = asked === 'withdraw' && reason.trim() !== '' ? { reason: reason.trim() } : {};
    const body = { action: asked, ...(isAll ? { filter } : { productIds: [...selected] }), ...why };
    follow(await client.call('actOnProducts', { params: { store_id: storeId }, body }));
    onSelect(new Set());
    onChange();
  });
  return (
    <>
      {change === undefined ? null : (
        <ChangeNotice key={change.id} change={change} onChange={onChange} onClose={() => follow(undefined)} />
      )}
      {ids.length === 0 ? null : (
        <fieldset class="bulk">
          <legend class="unseen">{words.selectPage}</legend>
          <label>
            <input type="checkbox" checked={isPage} onChange={() => onSelect(new Set(isPage ? [] : ids))} />{' '}
            {words.selectPage}
          </label>
          {selected.size === 0 ? null : (
            <>
              <span role="status">{isAll ? words.allSelected : count(words.selected, selected.size)}</span>
              {canChooseAll && !isAll ? (
                <button type="button" class="button quiet" onClick={() => chooseAll(true)}>
                  {words.selectAll}
                </button>
              ) : null}
              {ACTIONS.map((name) => (
                <button key={name} type="button" class="button small" onClick={() => ask(name)}>
                  {words[name]}
                </button>
              ))}
            </>
          )}
        </fieldset>
      )}
      {asked === undefined ? null : (
        <Confirm
          title={isAll ? words.confirm[`${asked}All`] : count(words.confirm[asked], selected.size)}
          body={`${isAll ? `${words.confirm.all} ` : ''}${words.confirm[`${asked}Body`]}`}
          label={words[asked]}
          isDestructive={asked === 'delete' || asked === 'withdraw'}
          action={action}
          onClose={() => ask(undefined)}
        >
          {asked === 'withdraw' ? (
            <TextField
              label={words.reason}
              hint={words.reasonHint}
              isOptional
              value={reason}
              onValue={giveReason}
              autocomplete="off"
            />
          ) : null}
        </Confirm>
      )}
    </>
  );
}

function isAction(kind: RegistryChange['kind']): kind is (typeof ACTIONS)[number] {
  return ACTIONS.some((name) => name === kind);
}

/** Poll interval in milliseconds. */
const POLL_INTERVAL = 1_500;

interface ChangeProps {
  readonly change: RegistryChange;
  readonly onChange: () => void;
  readonly onClose: () => void;
}

/** The progress of a bulk change and, when it is done, how to undo it. */
function ChangeNotice({ change: begun, onChange, onClose }: ChangeProps) {
  const { client, announce } = useTools();
  const { products: words } = useWords();
  const { count, number } = useFormat();
  const [change, set] = useState(begun);
  const undoButton = useRef<HTMLButtonElement>(null);
  const refresh = useAction(async () =>
    set(await client.call('getRegistryChange', { params: { change_id: change.id } })),
  );
  const undo = useAction(async () => {
    set(await client.call('undoChange', { params: { change_id: change.id } }));
    onChange();
  });
  useRepeat(() => void refresh.run(), POLL_INTERVAL, change.state === 'pending');
  const { kind, state, done, total, changed = 0, undoableUntil, undoes } = change;
  const isUndo = undoes !== undefined || !isAction(kind);
  const said =
    undoes === undefined && isAction(kind)
      ? count(words.changed[kind], changed)
      : count(words.undone, changed);
  useEffect(() => {
    if (state !== 'done') return;
    announce(said);
    undoButton.current?.focus();
    onChange();
    // announced once, when it is done
  }, [state, change.id]);
  if (state === 'pending')
    return (
      <Bar
        label={fill(words.underWay, { done: number(done), total: number(total ?? done) })}
        done={done}
        total={total}
      />
    );
  return (
    <Notice tone="good">
      <p>{said}</p>
      <ErrorNotice error={undo.error} />
      <div class="actions">
        {undoableUntil === undefined || changed === 0 || isUndo ? null : (
          <button
            ref={undoButton}
            type="button"
            class="button"
            aria-disabled={undo.isBusy}
            onClick={() => void undo.run()}
          >
            {words.undo}
          </button>
        )}
        <button type="button" class="button quiet" onClick={onClose}>
          {words.dismiss}
        </button>
      </div>
    </Notice>
  );
}
