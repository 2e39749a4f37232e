import type { ActivityEntry } from '@touchstone/contract';
import { fill, Untrusted } from '../../ui/text.tsx';
import { useCall } from '../loading.ts';
import { At } from '../parts/display.tsx';
import { List } from '../parts/list.tsx';
import { Empty, Shown } from '../parts/notices.tsx';
import { OfMerchant, useMerchantLine } from '../parts/of-merchant.tsx';
import { Page } from '../parts/page.tsx';
import { href } from '../routes.ts';
import { tableState } from '../table-state.ts';
import { useFormat, usePlace, useWords } from '../tools.ts';

/** The activity log of a merchant. */
export function ActivityPage() {
  const { activity: words } = useWords();
  return (
    <Page title={words.title} intro={words.intro} of={useMerchantLine()}>
      <OfMerchant>{(id) => <Entries merchantId={id} />}</OfMerchant>
    </Page>
  );
}

function Entries({ merchantId }: { merchantId: string }) {
  const { activity: words } = useWords();
  const table = tableState({ cursor: 'text', merchant: 'text' }, usePlace().search);
  const { cursor } = table;
  const loaded = useCall('listActivity', { params: { merchant_id: merchantId }, query: { cursor } });
  return (
    <Shown of={loaded}>
      {({ entries, nextCursor }) => (
        <List
          isOrdered
          label={words.title}
          table={table}
          nextCursor={nextCursor}
          empty={<Empty title={words.none}>{words.noneBody}</Empty>}
        >
          {entries.map((entry, index) => (
            <Entry key={`${entry.at} ${index}`} entry={entry} />
          ))}
        </List>
      )}
    </Shown>
  );
}

/** What happened to the key itself, not what was done with it. */
const ABOUT_KEYS: ReadonlySet<ActivityEntry['kind']> = new Set(['key_made', 'key_revoked']);

function Entry({ entry }: { entry: ActivityEntry }) {
  const { activity: words, products } = useWords();
  const { count } = useFormat();
  const changes: Readonly<Record<string, string>> = words.changes;
  const { at, kind, storeId, storeName, hostname, keyLabel, event, change, state, count: times } = entry;
  const ended =
    kind === 'import_ended' ? words.importStates[state as keyof typeof words.importStates] : undefined;
  const left =
    event === 'product.state_changed' ? products.states[state as keyof typeof products.states] : undefined;
  const details = [
    change === undefined ? undefined : (changes[change] ?? change),
    hostname,
    ended ?? left,
    times === undefined ? undefined : count(words.things, times),
    keyLabel === undefined || keyLabel === ''
      ? undefined
      : ABOUT_KEYS.has(kind)
        ? keyLabel
        : fill(words.by, { label: keyLabel }),
  ].filter((part) => part !== undefined);
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">{event === undefined ? words.kinds[kind] : words.events[event]}</span>
        <span class="row-detail">
          {details.length === 0 ? null : <Untrusted text={details.join(' · ')} />}
          {storeName === undefined || storeId === undefined ? null : (
            <>
              {details.length === 0 ? '' : ' · '}
              <a href={href('store', { storeId })}>
                <Untrusted text={storeName} />
              </a>
            </>
          )}
        </span>
      </div>
      <div class="row-side">
        <span class="hint">
          <At text="{time}" at={at} />
        </span>
      </div>
    </li>
  );
}
