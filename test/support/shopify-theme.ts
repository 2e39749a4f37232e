import { readFile } from 'node:fs/promises';
import { Liquid } from 'liquidjs';

export const EXTENSION = 'integrations/shopify/extensions/touchstone';

/** What the app embed prints into a page, with Shopify's `json`, which escapes what would end a script. */
export async function renderEmbed(product: unknown): Promise<string> {
  const liquid = new Liquid();
  liquid.registerFilter('json', (value: unknown) =>
    JSON.stringify(value).replace(/[<>&]/g, (mark) => `\\u00${mark.charCodeAt(0).toString(16)}`),
  );
  const block = await readFile(`${EXTENSION}/blocks/certificate.liquid`, 'utf8');
  return liquid.parseAndRender(block.replace(/\{% schema %\}[\s\S]*\{% endschema %\}/, ''), { product });
}
