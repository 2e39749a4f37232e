/** A Shopify shop for tests: its Admin GraphQL API with the documented types, over real HTTPS, with its known faults. */
import { createHash, createHmac } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import { text } from 'node:stream/consumers';
import { buildSchema, graphql } from 'graphql';
import { createTestAuthority } from '../../packages/fetch/src/testing-certificates.ts';
import { closeServer, listen, portOf } from './servers.ts';
import { type Bulk, bulkOf, createBulk, sendOutcome } from './shopify-bulk.ts';

const SCHEMA = buildSchema(`
  scalar UnsignedInt64
  scalar URL
  interface Node { id: ID! }
  type Query {
    shop: Shop!
    currentAppInstallation: AppInstallation!
    products(first: Int, after: String, sortKey: ProductSortKeys): ProductConnection!
    productsCount(limit: Int = 10000): Count
    nodes(ids: [ID!]!): [Node]!
    webhookSubscriptions(first: Int): WebhookSubscriptionConnection!
    bulkOperation(id: ID!): BulkOperation
  }
  type Mutation {
    metafieldsSet(metafields: [MetafieldsSetInput!]!): MetafieldsSetPayload
    metafieldsDelete(metafields: [MetafieldIdentifierInput!]!): MetafieldsDeletePayload
    metafieldDefinitionCreate(definition: MetafieldDefinitionInput!): MetafieldDefinitionCreatePayload
    webhookSubscriptionCreate(topic: WebhookSubscriptionTopic!, webhookSubscription: WebhookSubscriptionInput!): WebhookSubscriptionPayload
    webhookSubscriptionDelete(id: ID!): WebhookSubscriptionPayload
    stagedUploadsCreate(input: [StagedUploadInput!]!): StagedUploadsCreatePayload
    bulkOperationRunMutation(mutation: String!, stagedUploadPath: String!): BulkOperationRunMutationPayload
    bulkOperationRunQuery(query: String!, groupObjects: Boolean! = false): BulkOperationRunQueryPayload
  }
  type Count { count: Int! }
  enum StagedUploadTargetGenerateUploadResource { BULK_MUTATION_VARIABLES }
  enum StagedUploadHttpMethodType { POST PUT }
  enum BulkOperationStatus { CREATED RUNNING COMPLETED FAILED CANCELING CANCELED EXPIRED }
  input StagedUploadInput { resource: StagedUploadTargetGenerateUploadResource! filename: String! mimeType: String! httpMethod: StagedUploadHttpMethodType }
  type StagedUploadsCreatePayload { stagedTargets: [StagedMediaUploadTarget!] userErrors: [UserError!]! }
  type StagedMediaUploadTarget { url: URL parameters: [StagedUploadParameter!]! }
  type StagedUploadParameter { name: String! value: String! }
  type BulkOperationRunMutationPayload { bulkOperation: BulkOperation userErrors: [BulkUserError!]! }
  type BulkOperationRunQueryPayload { bulkOperation: BulkOperation userErrors: [BulkUserError!]! }
  type BulkUserError { code: String message: String! field: [String!] }
  type BulkOperation { id: ID! status: BulkOperationStatus! errorCode: String url: URL partialDataUrl: URL rootObjectCount: UnsignedInt64! }
  enum ProductSortKeys { ID TITLE }
  enum WebhookSubscriptionTopic { PRODUCTS_CREATE PRODUCTS_UPDATE PRODUCTS_DELETE APP_UNINSTALLED }
  enum WebhookSubscriptionFormat { JSON XML }
  enum MetafieldOwnerType { PRODUCT }
  enum MetafieldAdminAccessInput { MERCHANT_READ MERCHANT_READ_WRITE }
  enum MetafieldStorefrontAccessInput { NONE PUBLIC_READ }
  enum ProductStatus { ACTIVE ARCHIVED DRAFT UNLISTED }
  type Shop { name: String! myshopifyDomain: String! primaryDomain: Domain! }
  type Domain { url: URL! }
  type AppInstallation { accessScopes: [AccessScope!]! }
  type AccessScope { handle: String! }
  type PageInfo { hasNextPage: Boolean! endCursor: String }
  type ProductConnection { pageInfo: PageInfo! nodes: [Product!]! edges: [ProductEdge!]! }
  type ProductEdge { node: Product! }
  type Product implements Node {
    id: ID! legacyResourceId: UnsignedInt64! handle: String! title: String! vendor: String! productType: String!
    status: ProductStatus! onlineStoreUrl: URL
    media(first: Int, query: String): MediaConnection!
    variants(first: Int): ProductVariantConnection!
    metafield(namespace: String, key: String!): Metafield
  }
  interface Media { id: ID! }
  type MediaImage implements Media & Node { id: ID! image: Image }
  type Image { url: URL! }
  type MediaConnection { nodes: [Media!]! edges: [MediaEdge!]! }
  type MediaEdge { node: Media! }
  type ProductVariantConnection { nodes: [ProductVariant!]! edges: [ProductVariantEdge!]! }
  type ProductVariantEdge { node: ProductVariant! }
  type ProductVariant { id: ID! sku: String barcode: String }
  type Metafield { compareDigest: String! value: String! owner: Product! }
  input MetafieldsSetInput { ownerId: ID! namespace: String key: String! type: String value: String! compareDigest: String }
  input MetafieldIdentifierInput { ownerId: ID! namespace: String! key: String! }
  input MetafieldAccessInput { admin: MetafieldAdminAccessInput storefront: MetafieldStorefrontAccessInput }
  input MetafieldDefinitionInput { name: String! namespace: String key: String! type: String! ownerType: MetafieldOwnerType! access: MetafieldAccessInput }
  input WebhookSubscriptionInput { uri: String format: WebhookSubscriptionFormat }
  type MetafieldsSetPayload { metafields: [Metafield!] userErrors: [MetafieldsSetUserError!]! }
  type MetafieldsSetUserError { code: String message: String! elementIndex: Int field: [String!] }
  type MetafieldsDeletePayload { userErrors: [UserError!]! }
  type MetafieldDefinitionCreatePayload { userErrors: [MetafieldDefinitionCreateUserError!]! }
  type MetafieldDefinitionCreateUserError { code: String message: String! }
  type WebhookSubscriptionPayload { userErrors: [UserError!]! }
  type UserError { message: String! field: [String!] }
  type WebhookSubscription { id: ID! topic: WebhookSubscriptionTopic! uri: String! }
  type WebhookSubscriptionConnection { nodes: [WebhookSubscription!]! }
`);

export interface TestProduct {
  id: number;
  handle: string;
  title: string;
  vendor: string;
  productType: string;
  status: 'ACTIVE' | 'ARCHIVED' | 'DRAFT';
  /** Whether it is published in the online store. */
  published: boolean;
  images: string[];
  variants: { sku: string | null; barcode: string | null }[];
  /** Value of the app's metafield. */
  metafield: string | null;
}

/** What happens to the next call instead of a response. */
export type Fault =
  | { readonly status: number; readonly headers?: Readonly<Record<string, string>> }
  | 'throttled'
  | 'truncated'
  | 'too_large';

export interface TestShopify {
  readonly shop: string;
  readonly port: number;
  /** PEM, for TOUCHSTONE_FETCH_CA_FILE. */
  readonly authority: string;
  readonly token: string;
  readonly clientId: string;
  readonly secret: string;
  /** Tokens granted for a day, by client ID and secret, that are still valid. */
  readonly granted: Set<string>;
  /** The response instead of granting a token. */
  refusal: { readonly status: number; readonly body: string } | null;
  readonly products: Map<string, TestProduct>;
  readonly subscriptions: { id: string; topic: string; uri: string }[];
  /** Names of the requested operations. */
  readonly asked: string[];
  readonly faults: Fault[];
  scopes: string[];
  /** Rejects every token until the app is installed again. */
  isUninstalled: boolean;
  /** Products in a query above which its cost is too high. */
  largestPage: number;
  /** The reported number of its products; `null`: the true one. */
  counted: number | null;
  readonly bulk: Bulk;
  add(changes?: Partial<TestProduct>): TestProduct;
  /** Certificate in the metafield of a product. */
  certificateOf(product: TestProduct): Record<string, unknown> | null;
  /** Headers and body of a webhook about a product, signed like Shopify's. */
  webhook(
    topic: string,
    product: TestProduct,
    secret?: string,
  ): { headers: Record<string, string>; body: string };
  /** Resets to an empty shop without faults. */
  reset(): void;
  close(): Promise<void>;
}

export async function openShopifyShop(
  storefront: string,
  shop = 'kettles.myshopify.com',
): Promise<TestShopify> {
  const authority = createTestAuthority();
  const products = new Map<string, TestProduct>();
  const subscriptions: TestShopify['subscriptions'] = [];
  const asked: string[] = [];
  const faults: Fault[] = [];
  let nextId = 7_000_000_000_001;
  const state = {
    scopes: ['write_products'],
    largestPage: 50,
    isUninstalled: false,
    refusal: null as TestShopify['refusal'],
    counted: null as number | null,
  };
  const granted = new Set<string>();
  const bulk = createBulk();
  const root = {
    ...resolversOf({ products, subscriptions, storefront, shop, state }),
    ...bulkOf(bulk, shop),
  };

  const answer = async (request: IncomingMessage, response: ServerResponse) => {
    const send = (status: number, body: string, headers: Readonly<Record<string, string>> = {}) =>
      response.writeHead(status, { 'Content-Type': 'application/json', ...headers }).end(body);
    if (request.url === '/upload') {
      const form = await new Response(await text(request), {
        headers: { 'content-type': request.headers['content-type'] ?? '' },
      }).formData();
      bulk.uploads.set(String(form.get('key')), await (form.get('file') as File).text());
      return send(201, '');
    }
    if (request.url === '/admin/oauth/access_token') {
      asked.push('Grant');
      const given = Object.fromEntries(new URLSearchParams(await text(request)));
      if (state.refusal !== null) return send(state.refusal.status, state.refusal.body);
      if (given.grant_type !== 'client_credentials' || given.client_id !== CLIENT_ID)
        return send(400, NOT_FOUND, { 'Content-Type': 'text/html' });
      if (given.client_secret !== SECRET) return send(400, '{"error":"invalid_client"}');
      if (state.isUninstalled) return send(400, '{"error":"app_not_installed"}');
      const token = `shpat_for_a_day_${asked.length}`;
      granted.add(token);
      return send(
        200,
        JSON.stringify({ access_token: token, scope: state.scopes.join(','), expires_in: 86_399 }),
      );
    }
    if (request.url?.startsWith('/outcome/')) return sendOutcome(bulk, request.url.slice(9), response);
    const call = JSON.parse(await text(request)) as { query: string; variables: Record<string, unknown> };
    asked.push(/(?:query|mutation) Touchstone(\w+)/.exec(call.query)?.[1] ?? '?');
    const token = String(request.headers['x-shopify-access-token']);
    if (state.isUninstalled || (token !== TOKEN && !granted.has(token)))
      return send(401, '{"errors":"[API] Invalid API key or access token"}');
    const cost = {
      requestedQueryCost: 10,
      throttleStatus: { maximumAvailable: 2000, currentlyAvailable: 1990, restoreRate: 100 },
    };
    const fault = faults.shift();
    const first = Number(call.variables.first ?? 0);
    if (fault === 'too_large' || first > state.largestPage)
      return send(200, problem('MAX_COST_EXCEEDED', cost));
    if (fault === 'throttled')
      return send(
        200,
        problem('THROTTLED', { ...cost, throttleStatus: { ...cost.throttleStatus, currentlyAvailable: 0 } }),
      );
    if (typeof fault === 'object') return send(fault.status, '{}', fault.headers);
    const result = await graphql({
      schema: SCHEMA,
      source: call.query,
      rootValue: root,
      variableValues: call.variables,
    });
    const whole = JSON.stringify({ ...result, extensions: { cost } });
    return send(200, fault === 'truncated' ? whole.slice(0, -20) : whole);
  };
  const server = createServer(
    authority.issue(shop, new Date(Date.now() + 86_400_000)),
    (request, response) => {
      answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
    },
  );
  await listen(server);
  return {
    shop,
    port: portOf(server),
    authority: authority.certificate,
    token: TOKEN,
    clientId: CLIENT_ID,
    secret: SECRET,
    granted,
    get refusal() {
      return state.refusal;
    },
    set refusal(refusal) {
      state.refusal = refusal;
    },
    products,
    subscriptions,
    asked,
    faults,
    get scopes() {
      return state.scopes;
    },
    set scopes(scopes) {
      state.scopes = scopes;
    },
    get isUninstalled() {
      return state.isUninstalled;
    },
    set isUninstalled(is) {
      state.isUninstalled = is;
    },
    get largestPage() {
      return state.largestPage;
    },
    set largestPage(size) {
      state.largestPage = size;
    },
    get counted() {
      return state.counted;
    },
    set counted(count) {
      state.counted = count;
    },
    bulk,
    add(changes = {}) {
      const id = nextId++;
      const product: TestProduct = {
        id,
        handle: `kettle-${id}`,
        title: `Kettle ${id}`,
        vendor: 'Kettles Inc',
        productType: 'Kettle',
        status: 'ACTIVE',
        published: true,
        images: [`https://cdn.shopify.com/s/files/1/${id}.jpg?v=1`],
        variants: [{ sku: `K-${id}`, barcode: null }],
        metafield: null,
        ...changes,
      };
      products.set(String(id), product);
      return product;
    },
    certificateOf: ({ metafield }) => (metafield === null ? null : JSON.parse(metafield)),
    webhook(topic, product, secret = SECRET) {
      const body = JSON.stringify(restFormOf(product));
      const signature = createHmac('sha256', secret).update(body).digest('base64');
      return {
        headers: {
          'content-type': 'application/json',
          'x-shopify-topic': topic,
          'x-shopify-shop-domain': shop,
          'x-shopify-hmac-sha256': signature,
        },
        body,
      };
    },
    reset() {
      products.clear();
      granted.clear();
      for (const list of [subscriptions, asked, faults, bulk.ends]) list.length = 0;
      bulk.release();
      Object.assign(state, {
        scopes: ['write_products'],
        largestPage: 50,
        isUninstalled: false,
        refusal: null,
        counted: null,
      });
    },
    async close() {
      await closeServer(server);
    },
  };
}

const TOKEN = 'shpat_test';
const SECRET = 'shpss_test';
const CLIENT_ID = '0f1e2d3c4b5a69788796a5b4c3d2e1f0';
const NOT_FOUND =
  '<!doctype html><title>Oauth error</title><p>Oauth error application_cannot_be_found: Could not find it</p>';

function problem(code: string, cost: unknown): string {
  return JSON.stringify({ errors: [{ message: code, extensions: { code } }], extensions: { cost } });
}

/** A product in the format of webhooks. */
function restFormOf({
  id,
  handle,
  title,
  vendor,
  productType,
  status,
  published,
  images,
  variants,
}: TestProduct) {
  return {
    id,
    handle,
    title,
    vendor,
    product_type: productType,
    status: status.toLowerCase(),
    published_at: published ? '2026-01-01T00:00:00Z' : null,
    updated_at: new Date().toISOString(),
    images: images.map((src) => ({ src })),
    variants,
  };
}

interface World {
  readonly products: Map<string, TestProduct>;
  readonly subscriptions: TestShopify['subscriptions'];
  readonly storefront: string;
  readonly shop: string;
  readonly state: { readonly scopes: readonly string[]; readonly counted: number | null };
}

const digestOf = (value: string) => createHash('sha256').update(value).digest('hex');
const idIn = (gid: string) => gid.slice(gid.lastIndexOf('/') + 1);

/** The requested number of items, as a list of one page; a bulk operation requests all. */
function connectionOf(all: readonly unknown[]) {
  const some = ({ first }: { first?: number }) => all.slice(0, first);
  return (args: { first?: number }) => ({
    nodes: some(args),
    edges: some(args).map((node) => ({ node })),
  });
}

function resolversOf({ products, subscriptions, storefront, shop, state }: World) {
  const metafieldOf = (product: TestProduct): unknown =>
    product.metafield === null
      ? null
      : {
          compareDigest: digestOf(product.metafield),
          value: product.metafield,
          owner: () => nodeOf(product),
        };
  const nodeOf = (product: TestProduct): unknown => ({
    __typename: 'Product',
    ...product,
    id: `gid://shopify/Product/${product.id}`,
    legacyResourceId: String(product.id),
    onlineStoreUrl:
      product.published && product.status === 'ACTIVE' ? `${storefront}/products/${product.handle}` : null,
    media: connectionOf(
      product.images.map((url, index) => ({
        __typename: 'MediaImage',
        id: `gid://shopify/MediaImage/${product.id}${index}`,
        image: { url },
      })),
    ),
    variants: connectionOf(
      product.variants.map((variant, index) => ({
        id: `gid://shopify/ProductVariant/${product.id}${index}`,
        ...variant,
      })),
    ),
    metafield: () => metafieldOf(product),
  });
  const sorted = () => [...products.values()].toSorted((a, b) => a.id - b.id);
  return {
    shop: { name: 'Kettles', myshopifyDomain: shop, primaryDomain: { url: storefront } },
    currentAppInstallation: () => ({ accessScopes: state.scopes.map((handle) => ({ handle })) }),
    products({ first, after }: { first?: number; after?: string }) {
      const left = sorted().filter(({ id }) => after == null || id > Number(after));
      const some = left.slice(0, first);
      return {
        pageInfo: { hasNextPage: some.length < left.length, endCursor: some.at(-1)?.id.toString() ?? null },
        nodes: some.map(nodeOf),
        edges: some.map((product) => ({ node: nodeOf(product) })),
      };
    },
    productsCount: () => ({ count: state.counted ?? products.size }),
    nodes: ({ ids }: { ids: string[] }) =>
      ids.map((id) => {
        const product = products.get(idIn(id));
        return product === undefined ? null : nodeOf(product);
      }),
    metafieldsSet({
      metafields,
    }: {
      metafields: { ownerId: string; value: string; compareDigest?: string | null }[];
    }) {
      const userErrors = metafields.flatMap(({ ownerId, value, compareDigest }, elementIndex) => {
        const product = products.get(idIn(ownerId));
        if (product === undefined)
          return [{ code: 'INVALID', message: 'Owner does not exist.', elementIndex, field: ['ownerId'] }];
        if (value.length > 128_000) return [{ code: 'TOO_BIG', message: 'Value is too big.', elementIndex }];
        const digest = product.metafield === null ? null : digestOf(product.metafield);
        if (compareDigest !== undefined && compareDigest !== digest)
          return [{ code: 'STALE_OBJECT', message: 'The resource has been updated.', elementIndex }];
        return [];
      });
      if (userErrors.length > 0 || metafields.length > 25) return { metafields: null, userErrors };
      return {
        userErrors,
        metafields: metafields.map(({ ownerId, value }) => {
          const product = products.get(idIn(ownerId)) as TestProduct;
          product.metafield = value;
          return metafieldOf(product);
        }),
      };
    },
    metafieldsDelete({ metafields }: { metafields: { ownerId: string }[] }) {
      for (const { ownerId } of metafields) {
        const product = products.get(idIn(ownerId));
        if (product !== undefined) product.metafield = null;
      }
      return { userErrors: [] };
    },
    metafieldDefinitionCreate: () => ({ userErrors: [] }),
    webhookSubscriptions: () => ({ nodes: subscriptions }),
    webhookSubscriptionCreate({
      topic,
      webhookSubscription,
    }: {
      topic: string;
      webhookSubscription: { uri: string };
    }) {
      subscriptions.push({
        id: `gid://shopify/WebhookSubscription/${subscriptions.length}`,
        topic,
        uri: webhookSubscription.uri,
      });
      return { userErrors: [] };
    },
    webhookSubscriptionDelete({ id }: { id: string }) {
      const at = subscriptions.findIndex((subscription) => subscription.id === id);
      if (at >= 0) subscriptions.splice(at, 1);
      return { userErrors: [] };
    },
  };
}
