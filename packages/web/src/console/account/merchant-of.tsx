import type { ComponentChildren } from 'preact';
import { Untrusted } from '../../ui/text.tsx';
import { useLoad } from '../loading.ts';
import { Empty } from '../parts/notices.tsx';
import { href } from '../routes.ts';
import { tableState } from '../table-state.ts';
import { useCaller, usePlace, useTools, useWords } from '../tools.ts';

/** Whose keys, webhooks and activity a page is about: the caller's own; of the operator, those that the address names. */
function useMerchantId(): string | undefined {
  const { merchantId } = useCaller();
  const { merchant } = tableState({ merchant: 'text' }, usePlace().search);
  return merchantId ?? merchant;
}

function MerchantName({ merchantId }: { merchantId: string }) {
  const { client } = useTools();
  const { value } = useLoad(
    (signal) => client.call('getMerchant', { params: { merchant_id: merchantId } }, { signal }),
    [merchantId],
  );
  if (value === undefined) return null;
  return (
    <a href={href('merchant', { merchantId })}>
      <Untrusted text={value.name} />
    </a>
  );
}

/** Above the title: for the operator alone, who may look at any. */
export function useMerchantLine(): ComponentChildren {
  const { role } = useCaller();
  const merchantId = useMerchantId();
  return role === 'operator' && merchantId !== undefined ? (
    <MerchantName merchantId={merchantId} />
  ) : undefined;
}

/** For the operator, who came here without saying whose it is about. */
export function OfMerchant({ children }: { children: (merchantId: string) => ComponentChildren }) {
  const merchantId = useMerchantId();
  const { merchants } = useWords();
  if (merchantId !== undefined) return <>{children(merchantId)}</>;
  return (
    <Empty
      title={merchants.choose}
      action={
        <a class="button primary" href={href('merchants', {})}>
          {merchants.chooseAction}
        </a>
      }
    >
      {merchants.chooseBody}
    </Empty>
  );
}
