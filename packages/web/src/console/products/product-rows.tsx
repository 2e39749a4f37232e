import type { ProductView } from '@touchstone/contract';
import { fill, Untrusted } from '../../ui/text.tsx';
import { At } from '../parts/bits.tsx';
import { href } from '../routes.ts';
import { useFormat, useWords } from '../tools.ts';
import { ProductStateMark } from './product-state.tsx';

interface RowsProps {
  readonly products: readonly ProductView[];
  readonly selected: ReadonlySet<string>;
  /** Absent: nothing can be chosen. */
  readonly onSelect: ((selected: ReadonlySet<string>) => void) | undefined;
}

/** A product a row: its name, its state, and why it is in that state. */
export function ProductRows({ products, selected, onSelect }: RowsProps) {
  const { products: words } = useWords();
  const { count } = useFormat();
  const toggle = (id: string) => {
    const next = new Set(selected);
    if (!next.delete(id)) next.add(id);
    onSelect?.(next);
  };
  return (
    <ul class="rows" aria-label={words.list}>
      {products.map(({ id, storeId, name, url, state, externalProductId, images, updatedAt }) => (
        <li key={id} class="row product-row">
          {onSelect === undefined ? null : (
            <input
              type="checkbox"
              aria-label={fill(words.select, { name })}
              checked={selected.has(id)}
              onChange={() => toggle(id)}
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
      ))}
    </ul>
  );
}
