import type { ProductView } from '@touchstone/contract';
import { fill, Untrusted } from '../../ui/text.tsx';
import { At } from '../parts/display.tsx';
import { href } from '../routes.ts';
import { useFormat, useWords } from '../tools.ts';
import { ProductStateMark } from './product-state.tsx';

interface RowProps {
  readonly product: ProductView;
  readonly isSelected: boolean;
  /** Absent: it cannot be selected. */
  readonly onSelect: (() => void) | undefined;
}

/** A product: its name, its state, and the reason for that state. */
export function ProductRow({ product, isSelected, onSelect }: RowProps) {
  const { products: words } = useWords();
  const { count } = useFormat();
  const { id, storeId, name, url, state, externalProductId, images, updatedAt } = product;
  return (
    <li class="row product-row">
      {onSelect === undefined ? null : (
        <input
          type="checkbox"
          aria-label={fill(words.select, { name })}
          checked={isSelected}
          onChange={onSelect}
        />
      )}
      <div class="row-main">
        <a class="row-title" href={href('product', { storeId, productId: id })}>
          <Untrusted text={name} />
        </a>
        <span class="row-detail">
          <Untrusted text={`${externalProductId} · ${URL.parse(url)?.pathname ?? url}`} />
        </span>
        <span class="row-detail">
          {count(words.imagesCount, images.length)} · <At text={words.changedAt} at={updatedAt} />
        </span>
      </div>
      <div class="row-side">
        <ProductStateMark state={state} />
        {state === 'active' ? null : <p class="hint">{words.why[state]}</p>}
      </div>
    </li>
  );
}
