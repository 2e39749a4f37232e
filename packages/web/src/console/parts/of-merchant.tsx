import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Untrusted } from '../../ui/text.tsx';
import { useLoad } from '../loading.ts';
import { href } from '../routes.ts';
import { changedSearch, tableState } from '../table-state.ts';
import { useCaller, usePlace, useTools, useWords } from '../tools.ts';
import { Submit } from './fields.tsx';
import { type ChosenMerchant, MerchantField } from './merchant-field.tsx';

/** Whom a page is about: the caller's own merchant; of the operator, the one that the address names. */
export function useMerchantId(): string | undefined {
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

/** What is shown of a merchant; before that, the operator says of which. */
export function OfMerchant({ children }: { children: (merchantId: string) => ComponentChildren }) {
  const merchantId = useMerchantId();
  if (merchantId === undefined) return <Choice />;
  return <>{children(merchantId)}</>;
}

function Choice() {
  const { navigation } = useTools();
  const { path } = usePlace();
  const { merchants } = useWords();
  const [chosen, choose] = useState<ChosenMerchant>();
  const [isAsked, ask] = useState(false);
  const submit = (event: Event) => {
    event.preventDefault();
    ask(true);
    if (chosen !== undefined) navigation.go(path + changedSearch({}, { merchant: chosen.id }));
  };
  return (
    <form onSubmit={submit} noValidate>
      <p>{merchants.chooseBody}</p>
      <MerchantField chosen={chosen} onChosen={choose} isMissing={isAsked} />
      <Submit label={merchants.chooseAction} isBusy={false} />
    </form>
  );
}
