import { z } from 'zod';
import { defineOperation, type Wire } from '../../operation.ts';
import { REGISTRY_BASE } from '../../operations/shared.ts';
import { StoreParams } from '../../operations/stores.ts';

const common = { tag: 'Registry', access: 'merchant', noStore: true } as const;

/** Problems that prevent reading or writing a Shopify shop, with the next step. A closed list. */
export const SHOPIFY_PROBLEMS = {
  shopify_token_refused:
    'The shop refuses the access token, or the app was uninstalled: install it again and connect with its new token.',
  shopify_credentials_refused:
    'The shop grants no token for this client ID and secret: check both, make sure that the app is installed in the shop (otherwise app_not_installed) and was created in the shop’s own organization (otherwise shop_not_permitted), and connect again.',
  shopify_scope_missing:
    'The app lacks a scope: grant it read_products and write_products, install it again, and connect again.',
  shopify_shop_unknown: 'There is no such shop: check the name, which ends in .myshopify.com.',
  shopify_shop_closed: 'The shop is closed or frozen: its owner can open it again in Shopify.',
  shopify_unreachable: 'The shop did not answer; the call is retried automatically.',
  shopify_throttled: 'The shop accepts no more calls at the moment; they are retried automatically.',
  shopify_answer_unreadable: 'The response of the shop cannot be read; the call is retried automatically.',
  shopify_query_too_large:
    'The shop rejects even a small query as too large; it is retried with smaller ones.',
  shopify_request_refused: 'The shop refused a request; `detail` has its response.',
  shopify_product_gone: 'Shopify no longer has this product.',
  shopify_certificate_too_large:
    'The certificate exceeds the 128 KB that a JSON metafield may hold: it has too many images.',
  shopify_row_refused: 'The product cannot be registered; `detail` says why.',
} as const;

/** One of `SHOPIFY_PROBLEMS`. */
export type ShopifyProblemCode = keyof typeof SHOPIFY_PROBLEMS;

const ProblemSchema = z.object({
  code: z.enum(Object.keys(SHOPIFY_PROBLEMS) as [ShopifyProblemCode, ...ShopifyProblemCode[]]),
  detail: z.string(),
  nextStep: z.string(),
  since: z.iso.datetime(),
});

/** The permanent name of a shop, which is a host of Shopify: secrets of a connection go to no other. */
export const SHOP_NAME = /^[a-z0-9][a-z0-9-]{0,59}\.myshopify\.com$/;

const shop = z
  .string()
  .trim()
  .toLowerCase()
  .regex(SHOP_NAME, 'It must be the shop’s permanent name: example.myshopify.com')
  .meta({ description: 'The shop’s permanent name.' });

const ShopifyConnectSchema = z
  .strictObject({
    shop,
    clientId: z.string().trim().min(1).max(300).optional().meta({
      description:
        'Client ID of an app of the Dev Dashboard with read_products and write_products. With it and the secret, the service obtains a token that is valid for a day, and renews it in time.',
    }),
    accessToken: z.string().trim().min(1).max(300).optional().meta({
      description:
        'Instead of the client ID: the Admin API access token of an app created in the shop’s admin, which was possible until 2026.',
    }),
    clientSecret: z.string().trim().min(1).max(300).optional().meta({
      description:
        'The app’s client secret, with which Shopify signs webhooks; required with the client ID. Absent: unchanged; without a secret, changes are detected once a day.',
    }),
  })
  .refine(({ clientId, accessToken }) => (clientId === undefined) !== (accessToken === undefined), {
    message: 'Give either clientId, with clientSecret, or accessToken',
  })
  .refine(({ clientId, clientSecret }) => clientId === undefined || clientSecret !== undefined, {
    message: 'It is needed with clientId',
    path: ['clientSecret'],
  })
  .meta({ id: 'ShopifyConnect' });

const ShopifyConnectionSchema = z
  .object({
    shop,
    state: z.enum(['reading', 'publishing', 'current', 'failing']).meta({
      description: '`current`: all products were read, and every issued certificate is in its metafield.',
    }),
    storefront: z.string().meta({ description: 'Where its product pages are served.' }),
    webhooks: z.boolean().meta({ description: 'Whether Shopify reports changes as they happen.' }),
    clientId: z
      .string()
      .optional()
      .meta({ description: 'Client ID of the app; absent if an access token was given.' }),
    products: z.int().meta({ description: 'Products found in the shop.' }),
    published: z.int().meta({ description: 'Of these, products with a certificate in their metafield.' }),
    failed: z.int().meta({
      description: 'Of these, products that cannot be registered or written; `problems` lists the first.',
    }),
    reading: z
      .object({
        by: z.enum(['pages', 'bulk']).meta({
          description:
            '`bulk`: Shopify first collects all products in a file, as for shops with 10,000 or more.',
        }),
        step: z.enum(['collecting', 'reading']).meta({
          description: '`collecting`: by Shopify; `reading`: by this service.',
        }),
        products: z.int().meta({ description: 'Products that have passed this step.' }),
        of: z.int().optional().meta({ description: 'Number of products according to the shop.' }),
      })
      .optional()
      .meta({ description: 'Progress of reading all products; absent if none is in progress.' }),
    connectedAt: z.iso.datetime(),
    readAt: z.iso.datetime().optional().meta({ description: 'When all products were last read.' }),
    toldAt: z.iso.datetime().optional().meta({ description: 'When the last webhook was received.' }),
    problem: ProblemSchema.optional().meta({ description: 'The problem that affects the whole shop.' }),
    problems: z
      .array(z.object({ externalProductId: z.string(), ...ProblemSchema.shape }))
      .meta({ description: 'The first 50 products that failed.' }),
  })
  .meta({ id: 'ShopifyConnection', description: 'A store’s connection to a Shopify shop.' });

export type ShopifyConnect = z.infer<typeof ShopifyConnectSchema>;
export type ShopifyConnection = Wire<z.infer<typeof ShopifyConnectionSchema>>;

const path = `${REGISTRY_BASE}/stores/{store_id}/shopify`;

export const connectShopify = defineOperation({
  ...common,
  id: 'connectShopify',
  method: 'PUT',
  path,
  summary: 'Connect a store to a Shopify shop',
  description: `Checks with the shop that the client ID and secret, or the token, are valid; then reads its products, keeps them in
sync, and writes each product's certificate to a metafield that the app owns (\`$app\`, \`touchstone_certificate\`), which the
theme app extension outputs. To change the token or secret, repeat the call with the new one.`,
  params: StoreParams,
  body: ShopifyConnectSchema,
  replies: { 200: { description: 'The connection.', schema: ShopifyConnectionSchema } },
  errors: ['store_unknown', 'shopify_refused', 'conflict'],
});

export const getShopify = defineOperation({
  ...common,
  id: 'getShopify',
  method: 'GET',
  path,
  summary: 'Get the progress of a Shopify connection',
  params: StoreParams,
  replies: { 200: { description: 'The connection.', schema: ShopifyConnectionSchema } },
  errors: ['store_unknown', 'shopify_not_connected'],
});

export const readShopify = defineOperation({
  ...common,
  id: 'readShopify',
  method: 'POST',
  path: `${path}/read`,
  summary: 'Read a Shopify shop again now',
  description: 'Reads all products again, as happens once a day, and retries what failed.',
  params: StoreParams,
  replies: { 202: { description: 'The connection.', schema: ShopifyConnectionSchema } },
  errors: ['store_unknown', 'shopify_not_connected'],
});

export const disconnectShopify = defineOperation({
  ...common,
  id: 'disconnectShopify',
  method: 'DELETE',
  path,
  summary: 'Disconnect a store from its Shopify shop',
  description:
    'Deletes the token. Products stay registered; certificates in metafields remain valid until they expire, within 7 days.',
  params: StoreParams,
  replies: { 204: { description: 'The store is no longer connected.' } },
  errors: ['store_unknown'],
});

/** Called only by Shopify. */
export const receiveShopifyWebhook = defineOperation({
  tag: 'Registry',
  access: 'public',
  id: 'receiveShopifyWebhook',
  method: 'POST',
  path: '/api/v1/shopify/{store_id}/webhooks',
  summary: 'Receive a webhook of Shopify',
  unlisted: true,
  noStore: true,
  anyQuery: true,
  rawBody: true,
  params: StoreParams,
  replies: { 204: { description: 'The webhook was accepted.' } },
  errors: ['shopify_not_connected', 'shopify_signature_wrong', 'body_too_large'],
});
