import { readFile } from 'node:fs/promises';
import { Liquid } from 'liquidjs';

export const EXTENSION = 'integrations/shopify/extensions/touchstone';

/** The app embed's output on a page. */
export function renderEmbed(product: unknown): Promise<string> {
  return renderBlock('certificate', { product });
}

/** The output of the badge's block where a merchant places it. */
export function renderBadge(product: unknown, settings: object = { size: 'medium' }): Promise<string> {
  return renderBlock('badge', { product, block: { settings, shopify_attributes: '' } });
}

/** With Shopify's `json`, which escapes the end of a script, and its `t`. */
async function renderBlock(name: string, scope: object): Promise<string> {
  const liquid = new Liquid();
  liquid.registerFilter('json', (value: unknown) =>
    JSON.stringify(value).replace(/[<>&]/g, (mark) => `\\u00${mark.charCodeAt(0).toString(16)}`),
  );
  const texts: unknown = JSON.parse(await readFile(`${EXTENSION}/locales/en.default.json`, 'utf8'));
  liquid.registerFilter('t', (key: string) =>
    key.split('.').reduce<unknown>((at, part) => Object(at)[part], texts),
  );
  const block = await readFile(`${EXTENSION}/blocks/${name}.liquid`, 'utf8');
  return liquid.parseAndRender(block.replace(/\{% schema %\}[\s\S]*\{% endschema %\}/, ''), scope);
}
