import type { ComponentChildren } from 'preact';
import { useState } from 'preact/hooks';
import { Untrusted } from '../../ui/text.tsx';
import { useCall } from '../loading.ts';
import { href } from '../routes.ts';
import { changedSearch, tableState } from '../table-state.ts';
import { useCaller, usePlace, useTools, useWords } from '../tools.ts';
import { Form } from './form.tsx';
import { type ChosenMerchant, MerchantField } from './merchant-field.tsx';

/** The merchant that a page is about: the caller's own; for the operator, the one in the address. */
export function useMerchantId(): string | undefined {
  const { merchantId } = useCaller();
  const { merchant } = tableState({ merchant: 'text' }, usePlace().search);
  return merchantId ?? merchant;
}

function MerchantName({ merchantId }: { merchantId: string }) {
  const { value } = useCall('getMerchant', { params: { merchant_id: merchantId } });
  if (value === undefined) return null;
  return (
    <a href={href('merchant', { merchantId })}>
      <Untrusted text={value.name} />
    </a>
  );
}

/** Above the title: the merchant, for the operator only, who can see all. */
export function useMerchantLine(): ComponentChildren {
  const { role } = useCaller();
  const merchantId = useMerchantId();
  return role === 'operator' && merchantId !== undefined ? (
    <MerchantName merchantId={merchantId} />
  ) : undefined;
}

/** Content for a merchant; the operator selects one first. */
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
  const submit = () => {
    ask(true);
    if (chosen !== undefined) navigation.go(path + changedSearch({}, { merchant: chosen.id }));
  };
  return (
    <Form action={{ isBusy: false }} label={merchants.chooseAction} onSubmit={submit}>
      <p>{merchants.chooseBody}</p>
      <MerchantField chosen={chosen} onChosen={choose} isMissing={isAsked} />
    </Form>
  );
}
