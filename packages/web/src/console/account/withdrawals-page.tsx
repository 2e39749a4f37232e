import type { WithdrawalList } from '@touchstone/contract';
import { fill, Untrusted } from '../../ui/text.tsx';
import { useCall } from '../loading.ts';
import { At } from '../parts/display.tsx';
import { List } from '../parts/list.tsx';
import { Empty, Shown } from '../parts/notices.tsx';
import { OfMerchant, useMerchantLine } from '../parts/of-merchant.tsx';
import { Page } from '../parts/page.tsx';
import { href } from '../routes.ts';
import { tableState } from '../table-state.ts';
import { usePlace, useWords } from '../tools.ts';

/** What was withdrawn for good: when, why and by whom. */
export function WithdrawalsPage() {
  const { withdrawals: words } = useWords();
  return (
    <Page title={words.title} intro={words.intro} of={useMerchantLine()}>
      <OfMerchant>{(id) => <Withdrawals merchantId={id} />}</OfMerchant>
    </Page>
  );
}

function Withdrawals({ merchantId }: { merchantId: string }) {
  const { withdrawals: words } = useWords();
  const table = tableState({ cursor: 'text', merchant: 'text' }, usePlace().search);
  const loaded = useCall('listWithdrawals', { query: { merchantId, cursor: table.cursor } });
  // without them, keys are shown by their ids
  const keys = useCall('listApiKeys', { params: { merchant_id: merchantId }, query: { limit: 500 } });
  const labels = new Map(keys.value?.keys.map(({ id, label }) => [id, label] as const));
  return (
    <Shown of={loaded}>
      {({ withdrawals, nextCursor }) => (
        <List
          isOrdered
          label={words.title}
          table={table}
          nextCursor={nextCursor}
          empty={<Empty title={words.none}>{words.noneBody}</Empty>}
        >
          {withdrawals.map((one) => (
            <Row key={one.id} withdrawal={one} label={labels.get(one.byKey ?? '')} />
          ))}
        </List>
      )}
    </Shown>
  );
}

function Row({
  withdrawal: { storeId, productId, kid, cause, reason, byKey, changeId, at },
  label,
}: {
  withdrawal: WithdrawalList['withdrawals'][number];
  label: string | undefined;
}) {
  const { withdrawals: words } = useWords();
  const by = byKey === undefined ? undefined : fill(words.by, { label: label || byKey });
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          {storeId === undefined || productId === undefined ? (
            fill(words.ofKey, { kid: kid ?? '' })
          ) : (
            <a href={href('product', { storeId, productId })}>{fill(words.ofProduct, { id: productId })}</a>
          )}
        </span>
        <span class="row-detail">
          {words.causes[cause]}
          {changeId === undefined ? '' : ` ${words.many}`}
          {by === undefined ? null : ' · '}
          {by === undefined ? null : <Untrusted text={by} />}
        </span>
        {reason === undefined ? null : (
          <span>
            <Untrusted text={fill(words.reason, { reason })} />
          </span>
        )}
      </div>
      <div class="row-side">
        <span class="hint">
          <At text="{time}" at={at} />
        </span>
      </div>
    </li>
  );
}
