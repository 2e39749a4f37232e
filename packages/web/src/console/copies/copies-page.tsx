import type { CopyList } from '@touchstone/contract';
import { fill, Untrusted } from '../../ui/text.tsx';
import { useCall } from '../loading.ts';
import { At } from '../parts/display.tsx';
import { List } from '../parts/list.tsx';
import { Empty, Shown } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { StoreName } from '../parts/store-name.tsx';
import { tableState } from '../table-state.ts';
import { useFormat, usePlace, useWords } from '../tools.ts';
import { CopyHostView } from './copy-host.tsx';

/** Hosts of others on which certificates, pictures or names of the store were found. */
export function CopiesPage({ storeId }: { storeId: string }) {
  const { copies: words } = useWords();
  const { count } = useFormat();
  const table = tableState({ cursor: 'text' }, usePlace().search);
  const { cursor } = table;
  const loaded = useCall('listCopies', { params: { store_id: storeId }, query: { cursor, limit: 50 } });
  return (
    <Page title={words.title} of={<StoreName storeId={storeId} />} intro={words.intro}>
      <Shown of={loaded}>
        {({ domains, limits, more, nextCursor }) => (
          <List
            label={words.title}
            table={table}
            nextCursor={nextCursor}
            empty={<Empty title={words.none}>{words.noneBody}</Empty>}
            before={<p>{words.whatToDo}</p>}
            after={
              more === 0 ? null : (
                <p class="hint">{fill(count(words.more, more), { most: limits.domains })}</p>
              )
            }
          >
            {domains.map((found) => (
              <Domain key={found.domain} found={found} storeId={storeId} onDecided={loaded.reload} />
            ))}
          </List>
        )}
      </Shown>
    </Page>
  );
}

interface DomainProps {
  readonly found: CopyList['domains'][number];
  readonly storeId: string;
  readonly onDecided: () => void;
}

function Domain({ found, storeId, onDecided }: DomainProps) {
  const { copies: words } = useWords();
  const { count } = useFormat();
  const { domain, firstAt, lastAt, times, hosts, copies, dropped } = found;
  return (
    <li class="row copies">
      <div class="row-main">
        <span class="row-title">
          <Untrusted text={domain} />
        </span>
        <p class="hint">
          <At text={words.first} at={firstAt} /> · <At text={words.last} at={lastAt} /> ·{' '}
          {count(words.times, times)}
        </p>
        {hosts.map((host) => (
          <CopyHostView
            key={host.host}
            storeId={storeId}
            host={host}
            copies={copies.filter((copy) => copy.host === host.host)}
            onDecided={onDecided}
          />
        ))}
        {dropped === 0 ? null : <p class="hint">{count(words.dropped, dropped)}</p>}
      </div>
    </li>
  );
}
