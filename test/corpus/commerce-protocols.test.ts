import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readItem, ucpNames } from '@touchstone/catalogue';
import { createTestIssuer, TEST_PRODUCT } from '@touchstone/certificate/testing';
import { getUcpProfile } from '@touchstone/contract';
import { Ajv2020 } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import { afterAll, describe, expect, it } from 'vitest';
import { newEs256Key } from '../../packages/server/src/core/keys/es256-keys.ts';
import {
  acpSchema,
  type Named,
  ucpProfile,
  ucpSchema,
} from '../../packages/server/src/parts/ucp/documents.ts';
import { useFolder } from '../kit/folder.ts';
import { ROOT } from '../kit/imports.ts';
import { freePort, httpServer } from '../kit/servers.ts';

/** `source/schemas` of Universal-Commerce-Protocol/ucp. */
const UCP = join(process.env.TOUCHSTONE_CORPORA ?? join(ROOT, '../shared/corpora'), 'ucp-schemas');
/** A folder such as `spec/2026-04-17/json-schema` of agentic-commerce-protocol/agentic-commerce-protocol. */
const ACP = process.env.TOUCHSTONE_ACP_SCHEMAS ?? '';

const BASE_URL = 'https://certs.example.com';
const names = ucpNames(BASE_URL);
if (names.name === undefined) throw new Error(names.reason);
const named: Named = { baseUrl: BASE_URL, ...names };
const { name, signal } = named;
const issuer = await createTestIssuer();
const certificate = await issuer.certificate();

type Json = Record<string, unknown>;

function newAjv(files: readonly string[]): Ajv2020 {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  addFormats.default(ajv);
  for (const file of files) ajv.addSchema(JSON.parse(readFileSync(file, 'utf8')) as Json);
  return ajv;
}

/** Whether a document is valid by a schema; otherwise what is wrong with it. */
function faultsBy(ajv: Ajv2020, ref: string, document: unknown): unknown {
  const validate = ajv.getSchema(ref);
  if (validate === undefined) throw new Error(`no schema ${ref}`);
  return validate(document) === true ? [] : validate.errors;
}

const price = { amount: 2490, currency: 'EUR' };
const PRODUCT = {
  id: 'cup',
  title: TEST_PRODUCT.name,
  description: { plain: 'A cup' },
  url: TEST_PRODUCT.url,
  price_range: { min: price, max: price },
  media: [{ type: 'image', url: 'https://shop.example/cup-front.jpg' }],
  variants: [
    {
      id: 'cup-1',
      sku: 'CUP-1',
      title: TEST_PRODUCT.name,
      description: { plain: 'A cup' },
      price,
      availability: { available: true, status: 'in_stock' },
    },
  ],
};
const CERTIFIED = { ...PRODUCT, metadata: { [name]: certificate } };
const UNSIGNED = { ...PRODUCT, metadata: { [name]: { ...certificate, proof: {} } } };

describe.skipIf(!existsSync(UCP))('by the schemas of UCP', () => {
  const files = existsSync(UCP)
    ? readdirSync(UCP, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.json'))
    : [];
  const ajv = newAjv(files.map((path) => join(UCP, path)));
  const extension = ucpSchema(named) as { readonly $id: string; readonly requires: unknown };
  ajv.addSchema(extension);
  const faults = (ref: string, document: unknown) =>
    faultsBy(ajv, ref.startsWith('#') ? extension.$id + ref : `https://ucp.dev/schemas/${ref}`, document);
  const SEARCH = '#/$defs/dev.ucp.shopping.catalog.search/$defs/search_response';
  const LOOKUP = '#/$defs/dev.ucp.shopping.catalog.lookup/$defs/lookup_response';
  const DETAIL = '#/$defs/dev.ucp.shopping.catalog.lookup/$defs/get_product_response';

  it('all 105 of them are read', () => {
    expect(files).toHaveLength(105);
  });

  it('our profile is one of a business and of a platform, and our extension a capability', async () => {
    const keys = [(await newEs256Key()).publicJwk, (await newEs256Key()).publicJwk];
    const profile = ucpProfile(named, keys);
    for (const of of ['business_schema', 'platform_schema'])
      expect(faults(`profile.json#/$defs/${of}`, profile)).toEqual([]);
    expect(faults('common/types/reverse_domain_name.json', name)).toEqual([]);
    expect(faults('common/types/reverse_domain_name.json', signal)).toEqual([]);
    expect(faults('ucp.json#/$defs/requires', extension.requires)).toEqual([]);
    const broken = { ...profile, keys: [{ ...keys[0], y: undefined }] };
    expect(faults('profile.json#/$defs/business_schema', JSON.parse(JSON.stringify(broken)))).not.toEqual([]);
  });

  it('a product with a certificate is a product, and what our extension refuses is still one to others', () => {
    expect(faults('shopping/types/product.json', CERTIFIED)).toEqual([]);
    expect(faults('#/$defs/product', CERTIFIED)).toEqual([]);
    expect(faults('#/$defs/product', { ...PRODUCT, id: undefined })).not.toEqual([]);
    expect(faults('shopping/types/product.json', UNSIGNED)).toEqual([]);
    expect(faults('#/$defs/product', UNSIGNED)).not.toEqual([]);
    const [variant] = PRODUCT.variants;
    const inVariant = { ...PRODUCT, variants: [{ ...variant, metadata: { [name]: certificate } }] };
    expect(faults('#/$defs/product', inVariant)).toEqual([]);
    for (const item of [CERTIFIED, inVariant])
      expect(readItem(item)?.certificates.map(({ document }) => document)).toEqual([certificate]);
  });

  it('a signed statement is a signal', () => {
    const jws = 'e30.e30.c2ln';
    const signals = { [signal]: { provider_jwks: BASE_URL + getUcpProfile.path, kid: 'k', jws } };
    expect(faults('common/types/signals.json', signals)).toEqual([]);
    expect(faults('#/$defs/signal', signals[signal])).toEqual([]);
    const request = { query: 'cup', signals };
    expect(faults('shopping/catalog_search.json#/$defs/search_request', request)).toEqual([]);
  });

  const folder = useFolder('commerce-protocols');
  const opened: (() => unknown)[] = [];
  afterAll(async () => {
    for (const close of opened) await close();
  });

  it('all answers of the catalogue in examples/ucp-shop.ts', async () => {
    const keys = [(await newEs256Key()).publicJwk];
    const service = await httpServer((request, response) => {
      const isProfile = request.url === '/.well-known/ucp';
      response.end(JSON.stringify(isProfile ? ucpProfile(named, keys) : certificate));
    });
    const file = join(folder, 'products.json');
    await writeFile(file, JSON.stringify([PRODUCT]));
    const port = await freePort();
    const script = join(ROOT, 'examples/ucp-shop.ts');
    const args = [script, service.url, file, 'https://shop.example', String(port)];
    const shop = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
    opened.push(() => shop.kill(), service.close);
    await once(shop.stdout, 'data');
    const at = `http://127.0.0.1:${port}`;
    const post = async (operation: string, body: object) => {
      const sent = { method: 'POST', body: JSON.stringify(body) };
      return (await (await fetch(`${at}/ucp/v1/catalog/${operation}`, sent)).json()) as Json;
    };
    const profile = await (await fetch(`${at}/.well-known/ucp`)).json();
    expect(faults('profile.json#/$defs/business_schema', profile)).toEqual([]);
    const found = await post('search', { query: TEST_PRODUCT.name });
    expect(found.products).toEqual([CERTIFIED]);
    expect(faults(SEARCH, found)).toEqual([]);
    expect(faults(SEARCH, { ...found, products: [UNSIGNED] })).not.toEqual([]);
    expect(faults(LOOKUP, await post('lookup', { ids: ['cup', 'none'] }))).toEqual([]);
    expect(faults(DETAIL, await post('product', { id: 'cup-1' }))).toEqual([]);
    const missing = await post('product', { id: 'none' });
    expect(faults('common/types/error_response.json', missing)).toEqual([]);
  });
});

describe.skipIf(!existsSync(ACP))('by the schemas of ACP (TOUCHSTONE_ACP_SCHEMAS)', () => {
  const file = (of: string) => join(ACP, `schema.${of}.json`);
  const read = (of: string) => JSON.parse(readFileSync(file(of), 'utf8')) as Json & { readonly $id: string };
  const ajv = existsSync(ACP) ? newAjv(['agentic_checkout', 'feed', 'extension'].map(file)) : newAjv([]);
  const schema = acpSchema(named);
  if ('reason' in schema) throw new Error(schema.reason);
  const document = schema.document as Json & { readonly $id: string };
  ajv.addSchema(document);
  const faults = (of: string, def: string, value: unknown) =>
    faultsBy(ajv, `${read(of).$id}#/$defs/${def}`, value);

  it('our declaration is an extension, in a session whose metadata has certificates', () => {
    const { declaration } = document.$defs as { readonly declaration: { readonly const: Json } };
    const { name: identifier, ...rest } = declaration.const;
    expect(faults('extension', 'extension_declaration', declaration.const)).toEqual([]);
    expect(faults('extension', 'request_extensions', [identifier])).toEqual([]);
    expect(rest.schema).toBe(document.$id);
    const session = {
      id: 'cs_1',
      status: 'ready_for_payment',
      currency: 'eur',
      line_items: [{ id: 'line_1', item: { id: 'cup' }, quantity: 1, totals: [] }],
      totals: [],
      fulfillment_options: [],
      messages: [],
      links: [],
      capabilities: { extensions: [declaration.const] },
      metadata: { [name]: { line_1: certificate } },
    };
    expect(faults('agentic_checkout', 'CheckoutSession', session)).toEqual([]);
    expect(faultsBy(ajv, document.$id, session)).toEqual([]);
    const unsigned = { ...session, metadata: { [name]: { line_1: {} } } };
    expect(faultsBy(ajv, document.$id, unsigned)).not.toEqual([]);
    // all else is closed
    const [line] = session.line_items;
    const onLine = { ...session, line_items: [{ ...line, [name]: certificate }] };
    expect(faults('agentic_checkout', 'CheckoutSession', onLine)).not.toEqual([]);
    expect(faults('agentic_checkout', 'CheckoutSession', { ...session, [name]: certificate })).not.toEqual(
      [],
    );
  });

  it('products of feeds have no member for a certificate', () => {
    const product = { id: 'cup', variants: [{ id: 'cup-1', title: 'Cup' }] };
    expect(faults('feed', 'Product', product)).toEqual([]);
    expect(faults('feed', 'Product', { ...product, metadata: {} })).not.toEqual([]);
    expect(faults('feed', 'Product', { ...product, [name]: certificate })).not.toEqual([]);
  });
});
