import type * as contract from '@touchstone/contract';
import type { InputOf, Operation, ReplyOf } from '@touchstone/contract';

type Contract = typeof contract;
type OperationId = {
  [K in keyof Contract]: Contract[K] extends Operation ? K : never;
}[keyof Contract];

const SESSION = '/console/session';
const REGISTRY = '/api/v1/registry';
const STORE = `${REGISTRY}/stores/{store_id}`;
const MERCHANT = `${REGISTRY}/merchants/{merchant_id}`;
const WEBHOOK = `${REGISTRY}/webhooks/{webhook_id}`;

/**
 * The calls that the console makes. Only their types are checked against the contract, so that the page does not load its schemas, which
 * the service applies anyway.
 */
export const CALLS = {
  beginSession: ['POST', SESSION],
  getSession: ['GET', SESSION],
  endSession: ['DELETE', SESSION],
  checkPage: ['POST', '/api/v1/mc4p/page-checks'],
  createMerchant: ['POST', `${REGISTRY}/merchants`],
  listMerchants: ['GET', `${REGISTRY}/merchants`],
  getMerchant: ['GET', MERCHANT],
  updateMerchant: ['PATCH', MERCHANT],
  createApiKey: ['POST', `${MERCHANT}/api-keys`],
  listApiKeys: ['GET', `${MERCHANT}/api-keys`],
  revokeApiKey: ['DELETE', `${MERCHANT}/api-keys/{key_id}`],
  createStore: ['POST', `${REGISTRY}/stores`],
  listStores: ['GET', `${REGISTRY}/stores`],
  getStore: ['GET', STORE],
  updateStore: ['PATCH', STORE],
  deleteStore: ['DELETE', STORE],
  addDomain: ['POST', `${STORE}/domains`],
  removeDomain: ['DELETE', `${STORE}/domains/{hostname}`],
  verifyDomain: ['POST', `${STORE}/domains/{hostname}/verify`],
  listDomainChecks: ['GET', `${STORE}/domains/{hostname}/checks`],
  putProducts: ['PUT', `${STORE}/products`],
  listProducts: ['GET', `${STORE}/products`],
  countProducts: ['GET', `${STORE}/products/counts`],
  getProduct: ['GET', `${REGISTRY}/products/{product_id}`],
  listProductProofs: ['GET', `${REGISTRY}/products/{product_id}/proofs`],
  updateProduct: ['PATCH', `${REGISTRY}/products/{product_id}`],
  withdrawProduct: ['POST', `${REGISTRY}/products/{product_id}/withdraw`],
  listWithdrawals: ['GET', `${REGISTRY}/withdrawals`],
  listEvidence: ['GET', `${REGISTRY}/evidence`],
  deleteEvidence: ['DELETE', `${REGISTRY}/evidence/{evidence_id}`],
  deleteProduct: ['DELETE', `${REGISTRY}/products/{product_id}`],
  actOnProducts: ['POST', `${STORE}/products/actions`],
  undoChange: ['POST', `${REGISTRY}/changes/{change_id}/undo`],
  getRegistryChange: ['GET', `${REGISTRY}/changes/{change_id}`],
  createImport: ['POST', `${STORE}/imports`],
  getImport: ['GET', `${REGISTRY}/imports/{import_id}`],
  putStoreSource: ['PUT', `${STORE}/source`],
  getStoreSource: ['GET', `${STORE}/source`],
  deleteStoreSource: ['DELETE', `${STORE}/source`],
  getCertificateProgress: ['GET', `${STORE}/certificates/progress`],
  connectShopify: ['PUT', `${STORE}/shopify`],
  getShopify: ['GET', `${STORE}/shopify`],
  readShopify: ['POST', `${STORE}/shopify/read`],
  getImageProgress: ['GET', `${STORE}/images/progress`],
  listImages: ['GET', `${STORE}/images`],
  retryFailedImages: ['POST', `${STORE}/images/retry`],
  getStoreSetup: ['GET', `${STORE}/setup`],
  getStoreHistory: ['GET', `${STORE}/history`],
  listActivity: ['GET', `${MERCHANT}/activity`],
  getOperatorOverview: ['GET', `${REGISTRY}/operator/overview`],
  listStatusLists: ['GET', `${REGISTRY}/status-lists`],
  listFailingHosts: ['GET', `${REGISTRY}/operator/hosts`],
  getSweep: ['GET', `${STORE}/sweep`],
  beginSweep: ['POST', `${STORE}/sweep`],
  listSweepPages: ['GET', `${STORE}/sweep/pages`],
  listCopies: ['GET', `${STORE}/copies`],
  decideCopy: ['PUT', `${STORE}/copies/{host}`],
  getHostStatements: ['GET', `${MERCHANT}/host-statements/{hostname}`],
  setHostStatements: ['PUT', `${MERCHANT}/host-statements/{hostname}`],
  getMerchantSites: ['GET', `${MERCHANT}/sites`],
  setMerchantSites: ['PUT', `${MERCHANT}/sites`],
  getPictureSettings: ['GET', `${STORE}/picture-settings`],
  setPictureSettings: ['PUT', `${STORE}/picture-settings`],
  createWebhook: ['POST', `${REGISTRY}/webhooks`],
  listWebhooks: ['GET', `${REGISTRY}/webhooks`],
  getWebhook: ['GET', WEBHOOK],
  updateWebhook: ['PATCH', WEBHOOK],
  deleteWebhook: ['DELETE', WEBHOOK],
  rotateWebhookSecret: ['POST', `${WEBHOOK}/rotate-secret`],
  testWebhook: ['POST', `${WEBHOOK}/test`],
  listDeliveries: ['GET', `${WEBHOOK}/deliveries`],
  getDelivery: ['GET', `${WEBHOOK}/deliveries/{delivery_id}`],
  replayDelivery: ['POST', `${WEBHOOK}/deliveries/{delivery_id}/replay`],
  listSigningKeys: ['GET', `${REGISTRY}/signing-keys`],
  revokeSigningKey: ['POST', `${REGISTRY}/signing-keys/{kid}/revoke`],
} as const satisfies {
  readonly [K in OperationId]?: readonly [Contract[K]['method'], Contract[K]['path']];
};

export type CallId = keyof typeof CALLS;
export type CallInput<Id extends CallId> = InputOf<Contract[Id]>;
export type CallBody<Id extends CallId> = ReplyOf<Contract[Id]>['body'];

/** Whether a call is idempotent, or is made so by its Idempotency-Key. */
export function isRepeatable(id: CallId): boolean {
  return CALLS[id][0] !== 'POST' || WITH_KEY.has(id) || SAFE_POSTS.has(id);
}

/** POSTs that take an Idempotency-Key. */
export const WITH_KEY: ReadonlySet<CallId> = new Set([
  'createMerchant',
  'createStore',
  'addDomain',
  'createImport',
  'actOnProducts',
]);
const SAFE_POSTS: ReadonlySet<CallId> = new Set([
  'checkPage',
  'verifyDomain',
  'retryFailedImages',
  'beginSweep',
  'readShopify',
  'revokeSigningKey',
  'undoChange',
]);
