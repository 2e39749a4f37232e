import type { ProductView } from '@touchstone/contract';
import { useState } from 'preact/hooks';
import { FactList } from '../../ui/fact-list.tsx';
import { Untrusted, UntrustedLink } from '../../ui/text.tsx';
import { PageOutcome } from '../guide/page-outcome.tsx';
import { useAction, useLoad } from '../loading.ts';
import { ConfirmButton } from '../parts/dialog.tsx';
import { At } from '../parts/display.tsx';
import { CheckField, TextField } from '../parts/fields.tsx';
import { ActionButton } from '../parts/form.tsx';
import { ErrorNotice, Shown, Waiting } from '../parts/notices.tsx';
import { Page } from '../parts/page.tsx';
import { StoreName } from '../parts/store-name.tsx';
import { href } from '../routes.ts';
import { useCaller, useTools, useWords } from '../tools.ts';
import { ProductImages } from './product-images.tsx';
import { ProductStateMark } from './product-state.tsx';
import { ProofHistory } from './proof-history.tsx';

/** Maximum number of images of a product. */
const MOST_IMAGES = 250;

/** One product: all its data and actions. */
export function ProductPage({ storeId, productId }: { storeId: string; productId: string }) {
  const { client } = useTools();
  const { product: words } = useWords();
  // loaded together, so that the layout does not shift
  const loaded = useLoad(
    async (signal) => {
      const query = { productId, limit: MOST_IMAGES };
      const [product, { images }] = await Promise.all([
        client.call('getProduct', { params: { product_id: productId } }, { signal }),
        client.call('listImages', { params: { store_id: storeId }, query }, { signal }),
      ]);
      return { product, images };
    },
    [storeId, productId],
  );
  return (
    <Page title={loaded.value?.product.name ?? words.title} of={<StoreName storeId={storeId} />}>
      <Shown of={loaded}>
        {({ product, images }) => (
          <>
            {/* a deleted one comes back with a row of the shop alone */}
            {product.state === 'deleted' ? null : (
              <Actions
                product={product}
                onProduct={(changed) => loaded.replace({ product: changed, images })}
              />
            )}
            <Facts product={product} />
            <ProductImages product={product} reports={images} onRetry={loaded.reload} />
            <ProofHistory key={`${product.state} ${product.updatedAt}`} productId={product.id} />
          </>
        )}
      </Shown>
      {loaded.isLoading && loaded.value === undefined ? null : (
        <p>
          <a href={href('products', { storeId })}>{words.back}</a>
        </p>
      )}
    </Page>
  );
}

function Facts({ product }: { product: ProductView }) {
  const { product: words, products } = useWords();
  const { id, url, state, externalProductId, sku, gtin, brand, attributes, createdAt, updatedAt } = product;
  const { price, availability } = product;
  return (
    <>
      <FactList
        facts={[
          [words.state, <ProductStateMark state={state} />],
          [words.why, state === 'active' ? undefined : products.why[state]],
          [words.page, <UntrustedLink url={url} />],
          [
            words.certificate,
            state === 'active' ? (
              <a href={`/api/v1/mc4p/products/${id}/certificate`}>{words.open}</a>
            ) : undefined,
          ],
          [words.externalId, <Untrusted text={externalProductId} />],
          [words.sku, sku === undefined ? undefined : <Untrusted text={sku} />],
          [words.gtin, gtin],
          [words.brand, brand === undefined ? undefined : <Untrusted text={brand} />],
          [words.price, price === undefined ? undefined : `${price.amount} ${price.currency}`],
          [words.availability, availability],
          [words.id, <code>{id}</code>],
          [words.created, <At text="{time}" at={createdAt} />],
          [words.updated, <At text="{time}" at={updatedAt} />],
        ]}
      />
      {attributes.length === 0 ? null : (
        <section>
          <h2>{words.attributes}</h2>
          <FactList
            facts={attributes.map(({ name, value }) => [
              <Untrusted text={name} />,
              <Untrusted text={value} />,
            ])}
          />
        </section>
      )}
    </>
  );
}

function Actions({
  product,
  onProduct,
}: {
  product: ProductView;
  onProduct: (product: ProductView) => void;
}) {
  const { client, announce } = useTools();
  const { product: words, products, guide } = useWords();
  const caller = useCaller();
  const params = { product_id: product.id };
  const [report, show] = useState<Awaited<ReturnType<typeof checked>>>();
  const checked = () => client.call('checkPage', { body: { url: product.url, freshness: 'fresh' } });
  const change = useAction(async (body: { visible?: boolean; disabled?: boolean }) => {
    onProduct(await client.call('updateProduct', { params, body }));
  });
  const check = useAction(async () => {
    show(undefined);
    show(await checked());
  });
  const [reason, giveReason] = useState('');
  const [reissue, setReissue] = useState(false);
  const withdraw = useAction(async () => {
    const why = reason.trim() === '' ? {} : { reason: reason.trim() };
    onProduct(await client.call('withdrawProduct', { params, body: { ...why, reissue } }));
    announce(words.withdrawn);
  });
  const { visible, disabled } = product;
  return (
    <section>
      <ErrorNotice error={change.error} />
      <ErrorNotice error={check.error} />
      <div class="actions">
        <ActionButton label={words.check} isBusy={check.isBusy} run={check.run} />
        <ActionButton
          label={visible ? words.hide : words.show}
          isBusy={change.isBusy}
          run={() => change.run({ visible: !visible })}
        />
        <ConfirmButton
          class="button"
          title={words.withdrawTitle}
          body={`${words.withdrawBody} ${reissue ? words.withdrawReissued : words.withdrawHidden}`}
          label={words.withdraw}
          isDestructive
          action={withdraw}
        >
          <CheckField label={words.reissue} checked={reissue} onValue={setReissue} />
          <TextField
            label={products.reason}
            hint={products.reasonHint}
            isOptional
            value={reason}
            onValue={giveReason}
            autocomplete="off"
          />
        </ConfirmButton>
        {caller.role === 'operator' ? (
          <ActionButton
            label={disabled ? words.enable : words.disable}
            isBusy={change.isBusy}
            run={() => change.run({ disabled: !disabled })}
          />
        ) : null}
      </div>
      {check.isBusy ? <Waiting text={guide.pages.checking} /> : null}
      {report === undefined ? null : <PageOutcome report={report} />}
    </section>
  );
}
