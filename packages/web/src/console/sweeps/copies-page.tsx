import type { CopyList } from '@touchstone/contract';
import { fill, Untrusted, UntrustedLink } from '../../ui/text.tsx';
import { useCall } from '../loading.ts';
import { At } from '../parts/display.tsx';
import { List } from '../parts/list.tsx';
import { Empty, Shown } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { StoreName } from '../parts/store-name.tsx';
import { href, isThere } from '../routes.ts';
import { tableState } from '../table-state.ts';
import { useCaller, useFormat, usePlace, useWords } from '../tools.ts';

/** Pages of other hosts on which certificates of the store were found. */
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
              <Domain key={found.domain} found={found} storeId={storeId} />
            ))}
          </List>
        )}
      </Shown>
    </Page>
  );
}

function Domain({ found, storeId }: { found: CopyList['domains'][number]; storeId: string }) {
  const { copies: words } = useWords();
  const { count } = useFormat();
  // evidence is kept for merchants alone
  const isOwn = useCaller().role === 'merchant';
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          <Untrusted text={found.domain} />
        </span>
        <p class="hint">
          <At text={words.first} at={found.firstAt} /> · <At text={words.last} at={found.lastAt} /> ·{' '}
          {count(words.times, found.times)}
        </p>
        <ul>
          {found.copies.map((copy) => (
            <li key={`${copy.host} ${copy.productId}`}>
              <UntrustedLink url={copy.url} />{' '}
              <a href={href('product', { storeId, productId: copy.productId })}>
                <Untrusted text={fill(words.ofProduct, { id: copy.externalProductId })} />
              </a>{' '}
              <a href={`/check?${new URLSearchParams({ url: copy.url })}`}>{words.check}</a>
              {isOwn && isThere('evidence') ? (
                <>
                  {' '}
                  <a href={href('evidence', {}, { url: copy.url, original: copy.productId })}>{words.keep}</a>
                </>
              ) : null}
            </li>
          ))}
        </ul>
        {found.dropped === 0 ? null : <p class="hint">{count(words.dropped, found.dropped)}</p>}
      </div>
    </li>
  );
}
