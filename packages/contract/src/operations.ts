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
import * as operator from './parts/console/operator.ts';
import * as sessions from './parts/console/sessions.ts';
import * as consoleViews from './parts/console/store-views.ts';
import * as nft from './parts/nft/operations.ts';
import * as downloads from './parts/pages/downloads.ts';
import * as pages from './parts/pages/pages.ts';
import * as shopify from './parts/shopify/operations.ts';
import * as sources from './parts/sources/operations.ts';
import * as sweeps from './parts/sweeps/operations.ts';
import * as webhooks from './parts/webhooks/operations.ts';

/** All calls of the service, in reading order: public ones, the registry, the operator. */
export const OPERATIONS: readonly Operation[] = [
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
  sources.createImport,
  sources.listImports,
  sources.getImport,
  sources.followImport,
  sources.putStoreSource,
  sources.getStoreSource,
  sources.deleteStoreSource,
  productActions.actOnProducts,
  productActions.undoChange,
  changes.listRegistryChanges,
  changes.getRegistryChange,
  storeCertificates.streamCertificates,
  storeCertificates.getCertificateProgress,
  shopify.connectShopify,
  shopify.getShopify,
  shopify.readShopify,
  shopify.disconnectShopify,
  shopify.receiveShopifyWebhook,
  images.getImageProgress,
  images.listImages,
  images.listFailedImages,
  images.retryFailedImages,
  nft.recordNft,
  sweeps.getSweep,
  sweeps.beginSweep,
  sweeps.listSweepPages,
  sweeps.listCopies,
  webhooks.createWebhook,
  webhooks.listWebhooks,
  webhooks.getWebhook,
  webhooks.updateWebhook,
  webhooks.deleteWebhook,
  webhooks.rotateWebhookSecret,
  webhooks.testWebhook,
  webhooks.listDeliveries,
  webhooks.getDelivery,
  webhooks.replayDelivery,
  sessions.beginSession,
  sessions.getSession,
  sessions.endSession,
  consoleViews.getStoreSetup,
  consoleViews.getStoreHistory,
  consoleViews.listActivity,
  operator.getOperatorOverview,
  operator.listFailingHosts,
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
  downloads.listDownloads,
  downloads.getDownload,
  pages.getHome,
  pages.getCheckPage,
  pages.getVerifierPage,
  pages.getVerifierWorker,
  pages.getVerifierManifest,
  pages.getConsolePage,
  pages.getConsolePlace,
  pages.getPageFile,
  pages.getBadgeScript,
  pages.getBadgePicture,
];
