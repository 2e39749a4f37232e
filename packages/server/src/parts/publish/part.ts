import { publishPart as contract } from '@touchstone/contract';
import type { Part } from '../../core/part.ts';
import { settingsIn } from '../../platform/settings/config.ts';
import { blobPlace } from '../../platform/settings/setting-types.ts';
import { copyOrders } from './order-copies.ts';

const SETTINGS = {
  PUBLISH_TO: blobPlace
    .optional()
    .describe(
      'Where static copies of certificates and public keys are kept current, for a CDN: a folder, or s3://bucket/prefix, of its own; the same on all nodes.',
    ),
};

/** Keeps static copies of what the public reads in a folder or bucket, so that a CDN can serve them without the service. */
export const publishPart: Part = {
  ...contract,
  hasTables: true,
  settings: SETTINGS,
  listeners: copyOrders,
  listensWith: 'PUBLISH_TO',
  async open({ config, ...core }) {
    const { PUBLISH_TO: place } = settingsIn(SETTINGS, config);
    const { openPublish } = await import('./open-publish.ts');
    const to = place === undefined || 'folder' in place ? place : { ...place, ...config.s3 };
    return openPublish({ ...core, issuers: [core.baseUrl, ...config.formerBaseUrls], place: to });
  },
};
