import type { ComponentChildren } from 'preact';
import { Untrusted } from '../../ui/text.tsx';
import { useLoad } from '../loading.ts';
import { Empty } from '../parts/notices.tsx';
import { href } from '../routes.ts';
import { tableState } from '../table-state.ts';
import { useCaller, usePlace, useTools, useWords } from '../tools.ts';

/** Whose keys, webhooks and activity a page is about: the caller's own; of the operator, those that the address names. */
export function useMerchantId(): string | undefined {
  const { merchantId } = useCaller();
  const { merchant } = tableState({ merchant: 'text' }, usePlace().search);
  return merchantId ?? merchant;
}

/** Above the title, for the operator: which merchant it is. */
export function MerchantName({ merchantId }: { merchantId: string }) {
  const { client } = useTools();
  const { role } = useCaller();
  const { value } = useLoad(
    async (signal) =>
      role === 'operator'
        ? client.call('getMerchant', { params: { merchant_id: merchantId } }, { signal })
        : undefined,
    [merchantId, role],
  );
  if (value === undefined) return null;
  return (
    <a href={href('merchant', { merchantId })}>
      <Untrusted text={value.name} />
    </a>
  );
}

/** For the operator, who came here without saying whose it is about. */
export function OfMerchant({ children }: { children: (merchantId: string) => ComponentChildren }) {
  const merchantId = useMerchantId();
  const { merchants } = useWords();
  if (merchantId !== undefined) return <>{children(merchantId)}</>;
  return <Empty title={merchants.title} action={<a href={href('merchants', {})}>{merchants.back}</a>} />;
}
