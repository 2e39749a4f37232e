import type { Operation } from './operation.ts';
import * as certificates from './operations/certificates.ts';
import * as changes from './operations/changes.ts';
import * as docs from './operations/docs.ts';
import * as health from './operations/health.ts';
import * as images from './operations/images.ts';
import * as keys from './operations/keys.ts';
import * as merchants from './operations/merchants.ts';
import * as pageChecks from './operations/page-checks.ts';
import * as productActions from './operations/product-actions.ts';
import * as productProofs from './operations/product-proofs.ts';
import * as products from './operations/products.ts';
import * as storeCertificates from './operations/store-certificates.ts';
import * as stores from './operations/stores.ts';
import * as verification from './operations/verification.ts';
import * as withdrawals from './operations/withdrawals.ts';
import { PARTS } from './parts.ts';

/** The calls of the core, in reading order: public ones, the registry, the operator. */
export const CORE_OPERATIONS: readonly Operation[] = [
  certificates.getProductCertificate,
  certificates.findProductCertificate,
  certificates.getAssetCertificate,
  certificates.getImageCertificate,
  verification.verifyProductCertificate,
  verification.verifyImageCertificate,
  pageChecks.checkPage,
  pageChecks.getPageCheck,
  keys.getJwks,
  keys.getKeyDirectory,
  verification.verifyBatch,
  pageChecks.checkPages,
  certificates.getBlob,
  merchants.createMerchant,
  merchants.listMerchants,
  merchants.getMerchant,
  merchants.updateMerchant,
  merchants.createApiKey,
  merchants.listApiKeys,
  merchants.revokeApiKey,
  stores.createStore,
  stores.listStores,
  stores.getStore,
  stores.updateStore,
  stores.deleteStore,
  stores.addDomain,
  stores.removeDomain,
  stores.verifyDomain,
  stores.listDomainChecks,
  products.putProducts,
  products.listProducts,
  products.countProducts,
  products.getProduct,
  productProofs.listProductProofs,
  products.updateProduct,
  products.deleteProduct,
  products.addImages,
  products.removeImage,
  withdrawals.withdrawProduct,
  withdrawals.listWithdrawals,
  productActions.actOnProducts,
  productActions.undoChange,
  changes.listRegistryChanges,
  changes.getRegistryChange,
  storeCertificates.streamCertificates,
  storeCertificates.getCertificateProgress,
  images.getImageProgress,
  images.listImages,
  images.listFailedImages,
  images.retryFailedImages,
  keys.listSigningKeys,
  keys.rotateSigningKeys,
  keys.revokeSigningKey,
  health.getHealth,
  health.getReadiness,
  health.getMetrics,
  docs.callTools,
  docs.getOpenApi,
  docs.getApiReference,
  docs.getCodesPage,
  docs.getReferenceStart,
  docs.getReferenceScript,
  docs.getAiCatalog,
  docs.getServerCard,
  docs.getLlmsText,
  docs.getNamespace,
];

/** All calls of the service: those of the core, then of each part. */
export const OPERATIONS: readonly Operation[] = [
  ...CORE_OPERATIONS,
  ...PARTS.flatMap(({ operations }) => operations),
];
