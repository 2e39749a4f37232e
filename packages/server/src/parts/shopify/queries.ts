/** Namespace and key of the metafield with a certificate. The namespace belongs to the app, so that only the app can write it. */
export const NAMESPACE = '$app';
export const KEY = 'touchstone_certificate';

/** Required access scopes. */
export const SCOPES = ['read_products', 'write_products'] as const;

export const SHOP = `query TouchstoneShop {
  shop { name myshopifyDomain primaryDomain { url } }
  currentAppInstallation { accessScopes { handle } }
}`;

export interface ShopAnswer {
  readonly shop: {
    readonly name: string;
    readonly myshopifyDomain: string;
    readonly primaryDomain: { readonly url: string };
  };
  readonly currentAppInstallation: { readonly accessScopes: readonly { readonly handle: string }[] };
}

/** Maximum images and variants read per product, enforced by the query here, and by the reader for bulk operations, which list all. */
export const PRODUCT_LIMITS = { images: 25, variants: 50 } as const;

const PRODUCT = `fragment TouchstoneProduct on Product {
  legacyResourceId handle title vendor productType status onlineStoreUrl
  media(first: ${PRODUCT_LIMITS.images}, query: "media_type:IMAGE") { nodes { id ... on MediaImage { image { url } } } }
  variants(first: ${PRODUCT_LIMITS.variants}) { nodes { sku barcode } }
}`;

export interface ProductNode {
  readonly legacyResourceId: string;
  readonly handle: string;
  readonly title: string;
  readonly vendor: string | null;
  readonly productType: string | null;
  readonly status: string;
  readonly onlineStoreUrl: string | null;
  readonly media: {
    readonly nodes: readonly { readonly id: string; readonly image?: { readonly url: string } | null }[];
  };
  readonly variants: {
    readonly nodes: readonly { readonly sku: string | null; readonly barcode: string | null }[];
  };
}

/** How many products the shop has. */
export const COUNT = `query TouchstoneCount { productsCount(limit: null) { count } }`;

export interface CountAnswer {
  readonly productsCount: { readonly count: number } | null;
}

/** Products in the order of their ids, so that an interrupted reading can resume. */
export const PRODUCTS = `query TouchstoneProducts($first: Int!, $after: String) {
  products(first: $first, after: $after, sortKey: ID) {
    pageInfo { hasNextPage endCursor }
    nodes { ...TouchstoneProduct }
  }
}
${PRODUCT}`;

export interface ProductsAnswer {
  readonly products: {
    readonly pageInfo: { readonly hasNextPage: boolean; readonly endCursor: string | null };
    readonly nodes: readonly ProductNode[];
  };
}

/** Single products; `null` for one that is not there. */
export const PRODUCTS_BY_ID = `query TouchstoneProductsById($ids: [ID!]!) {
  nodes(ids: $ids) { ...TouchstoneProduct }
}
${PRODUCT}`;

export interface ProductsByIdAnswer {
  readonly nodes: readonly (ProductNode | null)[];
}

/** Metafields in one call at the most: the API's own bound. */
export const MAX_METAFIELDS = 25;

export const SET_METAFIELDS = `mutation TouchstoneSet($metafields: [MetafieldsSetInput!]!) {
  metafieldsSet(metafields: $metafields) {
    metafields { compareDigest owner { ... on Product { legacyResourceId } } }
    userErrors { code message elementIndex }
  }
}`;

export interface MetafieldsSetInput {
  readonly ownerId: string;
  readonly namespace: string;
  readonly key: string;
  readonly type: 'json';
  readonly value: string;
  /** `null`: there must be none yet. */
  readonly compareDigest: string | null;
}

export interface SetMetafieldsAnswer {
  readonly metafieldsSet: {
    readonly metafields:
      | readonly { readonly compareDigest: string; readonly owner: { readonly legacyResourceId: string } }[]
      | null;
    readonly userErrors: readonly {
      readonly code: string | null;
      readonly message: string;
      readonly elementIndex: number | null;
    }[];
  };
}

export const DELETE_METAFIELDS = `mutation TouchstoneDelete($metafields: [MetafieldIdentifierInput!]!) {
  metafieldsDelete(metafields: $metafields) { userErrors { message } }
}`;

export interface DeleteMetafieldsAnswer {
  readonly metafieldsDelete: { readonly userErrors: readonly { readonly message: string }[] };
}

/** What the metafields hold, to compare with. */
export const METAFIELDS = `query TouchstoneMetafields($ids: [ID!]!) {
  nodes(ids: $ids) {
    ... on Product {
      legacyResourceId
      metafield(namespace: "${NAMESPACE}", key: "${KEY}") { compareDigest value }
    }
  }
}`;

export interface MetafieldsAnswer {
  readonly nodes: readonly ({
    readonly legacyResourceId: string;
    readonly metafield: { readonly compareDigest: string; readonly value: string } | null;
  } | null)[];
}

/** Merchants see the metafield and cannot change it; a theme may print it. */
export const DEFINE_METAFIELD = `mutation TouchstoneDefine($definition: MetafieldDefinitionInput!) {
  metafieldDefinitionCreate(definition: $definition) { userErrors { code message } }
}`;

export const DEFINITION = {
  definition: {
    name: 'Product certificate',
    namespace: NAMESPACE,
    key: KEY,
    type: 'json',
    ownerType: 'PRODUCT',
    access: { admin: 'MERCHANT_READ', storefront: 'PUBLIC_READ' },
  },
} as const;

export interface DefineMetafieldAnswer {
  readonly metafieldDefinitionCreate: {
    readonly userErrors: readonly { readonly code: string | null; readonly message: string }[];
  };
}

export const SUBSCRIPTIONS = `query TouchstoneSubscriptions {
  webhookSubscriptions(first: 100) { nodes { id topic uri } }
}`;

export interface SubscriptionsAnswer {
  readonly webhookSubscriptions: {
    readonly nodes: readonly { readonly id: string; readonly topic: string; readonly uri: string }[];
  };
}

/** Webhook topics to which the service subscribes. */
export const TOPICS = ['PRODUCTS_CREATE', 'PRODUCTS_UPDATE', 'PRODUCTS_DELETE', 'APP_UNINSTALLED'] as const;

export const SUBSCRIBE = `mutation TouchstoneSubscribe($topic: WebhookSubscriptionTopic!, $uri: String!) {
  webhookSubscriptionCreate(topic: $topic, webhookSubscription: { uri: $uri, format: JSON }) {
    userErrors { message }
  }
}`;

export interface SubscribeAnswer {
  readonly webhookSubscriptionCreate: { readonly userErrors: readonly { readonly message: string }[] };
}

export const UNSUBSCRIBE = `mutation TouchstoneUnsubscribe($id: ID!) {
  webhookSubscriptionDelete(id: $id) { userErrors { message } }
}`;

export const gidOf = (productId: string): string => `gid://shopify/Product/${productId}`;
