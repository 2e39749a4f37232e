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
            <Row key={one.id} withdrawal={one} />
          ))}
        </List>
      )}
    </Shown>
  );
}

type Withdrawal = WithdrawalList['withdrawals'][number];

/** Causes that say by themselves that it was the operator. */
const BY_OPERATOR: ReadonlySet<Withdrawal['cause']> = new Set(['disabled', 'key_revoked']);

function Row({ withdrawal }: { withdrawal: Withdrawal }) {
  const { withdrawals: words } = useWords();
  const { productId, externalProductId, deleted, kid = '', cause, reason, changeId, at } = withdrawal;
  const by = useBy(withdrawal);
  const why = `${words.causes[cause]}${changeId === undefined ? '' : ` ${words.many}`}`;
  return (
    <li class="row">
      <div class="row-main">
        <span class="row-title">
          {productId === undefined ? fill(words.ofKey, { kid }) : <Product withdrawal={withdrawal} />}
        </span>
        {externalProductId === undefined ? null : (
          <span class="row-detail">
            <Untrusted text={externalProductId} />
            {/* the cause says it already */}
            {deleted === undefined || cause === 'deleted' ? null : ` · ${words.deleted[deleted]}`}
          </span>
        )}
        <span class="row-detail">
          {why}
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

/** By name. A deleted store has no pages any more. */
function Product({ withdrawal }: { withdrawal: Withdrawal }) {
  const { withdrawals: words } = useWords();
  const { storeId = '', productId = '', productName, deleted } = withdrawal;
  const name = <Untrusted text={productName ?? fill(words.ofProduct, { id: productId })} />;
  return deleted === 'store' ? name : <a href={href('product', { storeId, productId })}>{name}</a>;
}

/** Who withdrew it, unless the cause says that. */
function useBy({ byKey, byRole, byLabel, cause }: Withdrawal): string | undefined {
  const { withdrawals: words } = useWords();
  if (byRole === 'operator') return BY_OPERATOR.has(cause) ? undefined : words.byOperator;
  const label = byLabel ?? byKey;
  return label === undefined ? undefined : fill(words.by, { label });
}
