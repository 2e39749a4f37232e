import type { UcpNames } from '@touchstone/catalogue';
import {
  getAcpSchema,
  getUcpSchema,
  getUcpSpecification,
  UCP_EXTENSION_VERSION,
  UCP_VERSION,
  type UcpProfile,
} from '@touchstone/contract';

const DIALECT = 'https://json-schema.org/draft/2020-12/schema';
const UCP_SCHEMAS = 'https://ucp.dev/schemas/shopping';

/** The service and its names. */
export interface Named extends UcpNames {
  readonly baseUrl: string;
}

/** What of UCP our extension extends: answers with products, and requests with signals. */
const PARENTS = {
  search: 'dev.ucp.shopping.catalog.search',
  lookup: 'dev.ucp.shopping.catalog.lookup',
  checkout: 'dev.ucp.shopping.checkout',
} as const;

export function ucpProfile({ baseUrl, name }: Named, keys: UcpProfile['keys']): UcpProfile {
  const extension = {
    version: UCP_EXTENSION_VERSION,
    spec: baseUrl + getUcpSpecification.path,
    schema: baseUrl + getUcpSchema.path,
    extends: Object.values(PARENTS),
  };
  return {
    ucp: { version: UCP_VERSION, services: {}, capabilities: { [name]: [extension] }, payment_handlers: {} },
    keys,
    signing_keys: keys,
  };
}

/** Open, as all of UCP: certificates of later releases have further members. */
const CERTIFICATE = {
  title: 'Product certificate',
  description: 'As the service that issues it serves it. Verify it: anybody can copy one.',
  type: 'object',
  required: ['@type', 'productID', 'url', 'proof'],
  properties: {
    '@type': { const: 'Product' },
    productID: { type: 'string', format: 'uuid' },
    url: { type: 'string', format: 'uri', description: 'The only page for which it is signed.' },
    proof: {
      type: 'object',
      required: ['jwt'],
      properties: {
        jwt: { type: 'string', pattern: '^[\\w-]+\\.[\\w-]+\\.[\\w-]+$', description: 'JWS, RS256.' },
      },
    },
  },
} as const;

/** The schema of our extension, by UCP's rules for extensions of others. */
export function ucpSchema({ baseUrl, name, signal }: Named): object {
  const certified = { properties: { metadata: { $ref: '#/$defs/metadata' } } };
  const product = { $ref: '#/$defs/product' };
  const answer = (file: string, def: string, products: object) => ({
    allOf: [{ $ref: `${UCP_SCHEMAS}/${file}.json#/$defs/${def}` }, { type: 'object', properties: products }],
  });
  const all = { products: { type: 'array', items: product } };
  return {
    $schema: DIALECT,
    $id: baseUrl + getUcpSchema.path,
    name,
    version: UCP_EXTENSION_VERSION,
    title: 'Product certificates',
    description:
      'A signed certificate in the metadata of a product or variant, and signed statements on pages and items in signals.',
    requires: {
      protocol: { min: UCP_VERSION },
      capabilities: Object.fromEntries(Object.values(PARENTS).map((of) => [of, { min: UCP_VERSION }])),
    },
    $defs: {
      certificate: CERTIFICATE,
      metadata: { type: 'object', properties: { [name]: { $ref: '#/$defs/certificate' } } },
      variant: { allOf: [{ $ref: `${UCP_SCHEMAS}/types/variant.json` }, certified] },
      product: {
        allOf: [
          { $ref: `${UCP_SCHEMAS}/types/product.json` },
          {
            properties: {
              ...certified.properties,
              variants: { type: 'array', items: { $ref: '#/$defs/variant' } },
            },
          },
        ],
      },
      signal: {
        type: 'object',
        required: ['provider_jwks', 'kid', 'jws'],
        properties: {
          provider_jwks: { type: 'string', format: 'uri' },
          kid: { type: 'string' },
          jws: {
            type: 'string',
            pattern: '^[\\w-]+\\.[\\w-]+\\.[\\w-]+$',
            description: 'Compact JWS, ES256.',
          },
        },
      },
      [PARENTS.search]: { $defs: { search_response: answer('catalog_search', 'search_response', all) } },
      [PARENTS.lookup]: {
        $defs: {
          lookup_response: answer('catalog_lookup', 'lookup_response', all),
          get_product_response: answer('catalog_lookup', 'get_product_response', { product }),
        },
      },
      [PARENTS.checkout]: {
        allOf: [
          { $ref: `${UCP_SCHEMAS}/checkout.json` },
          {
            type: 'object',
            properties: {
              signals: { type: 'object', properties: { [signal]: { $ref: '#/$defs/signal' } } },
            },
          },
        ],
      },
    },
  };
}

/** ACP's own pattern, which permits fewer hosts than UCP's: no label that begins with a digit. */
const ACP_IDENTIFIER = /^[a-z][a-z0-9]*(?:\.[a-z][a-z0-9_-]*)+$/;

/**
 * The schema of our extension of checkout sessions in ACP, with its declaration. Everything else in ACP is closed: products of its feeds
 * and line items have no member that could carry a certificate.
 *
 * @returns `reason`, a sentence, if ACP permits no such name
 */
export function acpSchema({
  baseUrl,
  name,
}: Named): { readonly reason: string } | { readonly document: object } {
  if (!ACP_IDENTIFIER.test(name)) return { reason: `ACP permits no extension with the name ${name}.` };
  const schema = baseUrl + getAcpSchema.path;
  const declaration = {
    name: `${name}@${UCP_EXTENSION_VERSION}`,
    extends: ['$.CheckoutSession.metadata'],
    schema,
    spec: baseUrl + getUcpSpecification.path,
  };
  const document = {
    $schema: DIALECT,
    $id: schema,
    title: 'Product certificates in checkout sessions',
    description: 'The certificates of what is bought, in the metadata of the session.',
    type: 'object',
    properties: {
      metadata: { type: 'object', properties: { [name]: { $ref: '#/$defs/certificates' } } },
    },
    $defs: {
      certificates: {
        type: 'object',
        description: 'By the id of the line item.',
        additionalProperties: { $ref: '#/$defs/certificate' },
      },
      certificate: CERTIFICATE,
      declaration: { description: 'For capabilities.extensions of a session.', const: declaration },
    },
  };
  return { document };
}
