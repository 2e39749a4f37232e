import { shopifyPart as contract } from '@touchstone/contract';
import type { Part } from '../../core/part.ts';
import { connectionEnds } from './end-connection.ts';

/** Stores connected to Shopify shops: reads their products, writes certificates into metafields. */
export const shopifyPart: Part = {
  ...contract,
  hasTables: true,
  listeners: connectionEnds,
  async open({ registry, logger, closers, secrets, fetchers, certificates, baseUrl }) {
    const { openShopify } = await import('./open-shopify.ts');
    return openShopify({
      registry,
      logger,
      closers,
      seal: secrets.seal,
      api: fetchers.api,
      exports: fetchers.exports,
      streamCertificates: certificates.streamCertificates,
      baseUrl,
    });
  },
};
