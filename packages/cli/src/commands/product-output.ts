import { productCertificatePath } from '@touchstone/certificate';
import type { ProductState, ProductView } from '@touchstone/contract';
import type { ServiceClient } from '../client.ts';
import { safe, table } from '../output/text.ts';
import type { CommandOutput } from '../registry/registry-command.ts';

/** What a state means for the merchant, for states that need an explanation. */
const MEANS: Readonly<Partial<Record<ProductState, string>>> = {
  hidden: 'hidden: touchstone products unhide shows it again',
  no_slot: 'waits for a seat of the plan',
  host_lost: 'on a host that is no longer a domain of its store: touchstone domains list',
  paused: 'its merchant is paused by the operator',
  disabled: 'disabled by the operator',
  deleted: 'deleted: importing it again restores it',
};

/** Output of commands about one product. */
export function productOutput(client: ServiceClient, product: ProductView): CommandOutput {
  const { id, externalProductId, name, url, sku, gtin, brand, state, images, updatedAt, storeId } = product;
  const words = () => {
    const rows = [
      ['id', id],
      ['store', storeId],
      ['shop’s id', externalProductId],
      ['page', url],
      ['state', MEANS[state] ?? state],
      ...(sku === undefined ? [] : [['sku', sku]]),
      ...(gtin === undefined ? [] : [['gtin', gtin]]),
      ...(brand === undefined ? [] : [['brand', brand]]),
      ['images', String(images.length)],
      ['changed', updatedAt],
      ['certificate', client.baseUrl + productCertificatePath(id)],
    ];
    return `${safe(name)}\n${table(rows.map((row) => row.map((text) => ({ text }))))}`;
  };
  return { value: product, words };
}
