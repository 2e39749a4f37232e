import { productCertificatePath } from '@touchstone/certificate';
import type { ProductView } from '@touchstone/contract';
import { NOT_PUBLISHING } from '@touchstone/contract/codes';
import type { ServiceClient } from '../client.ts';
import { safe, table } from '../output/text.ts';
import type { CommandOutput } from '../registry/registry-command.ts';

/** Output of commands about one product. */
export function productOutput(client: ServiceClient, product: ProductView): CommandOutput {
  const { id, externalProductId, name, url, sku, gtin, brand, state, images, updatedAt, storeId } = product;
  const { price, availability } = product;
  const words = () => {
    const rows = [
      ['id', id],
      ['store', storeId],
      ['shop’s id', externalProductId],
      ['page', url],
      ['state', state === 'active' ? state : `${state}: ${NOT_PUBLISHING[state]}`],
      ...(sku === undefined ? [] : [['sku', sku]]),
      ...(gtin === undefined ? [] : [['gtin', gtin]]),
      ...(brand === undefined ? [] : [['brand', brand]]),
      ...(price === undefined ? [] : [['price', `${price.amount} ${price.currency}`]]),
      ...(availability === undefined ? [] : [['availability', availability]]),
      ['images', String(images.length)],
      ['changed', updatedAt],
      ['certificate', client.baseUrl + productCertificatePath(id)],
    ];
    return `${safe(name)}\n${table(rows)}`;
  };
  return { value: product, words };
}
