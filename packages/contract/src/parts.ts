import type { ContractPart } from './part.ts';
import { consolePart } from './parts/console/part.ts';
import { copiesPart } from './parts/copies/part.ts';
import { itemsPart } from './parts/items/part.ts';
import { nftPart } from './parts/nft/part.ts';
import { pagesPart } from './parts/pages/part.ts';
import { pictureMatchesPart } from './parts/picture-matches/part.ts';
import { publishPart } from './parts/publish/part.ts';
import { receiptsPart } from './parts/receipts/part.ts';
import { shopifyPart } from './parts/shopify/part.ts';
import { sitesPart } from './parts/sites/part.ts';
import { sourcesPart } from './parts/sources/part.ts';
import { statusListsPart } from './parts/status-lists/part.ts';
import { sweepsPart } from './parts/sweeps/part.ts';
import { transparencyLogPart } from './parts/transparency-log/part.ts';
import { ucpPart } from './parts/ucp/part.ts';
import { webhooksPart } from './parts/webhooks/part.ts';

export type { ContractPart };
export {
  consolePart,
  copiesPart,
  itemsPart,
  nftPart,
  pagesPart,
  pictureMatchesPart,
  publishPart,
  receiptsPart,
  shopifyPart,
  sitesPart,
  sourcesPart,
  statusListsPart,
  sweepsPart,
  transparencyLogPart,
  ucpPart,
  webhooksPart,
};

/** All that the service may be without (TOUCHSTONE_WITHOUT): the operations, client and OpenAPI of each come from here. */
export const PARTS: readonly ContractPart[] = [
  sourcesPart,
  shopifyPart,
  nftPart,
  statusListsPart,
  transparencyLogPart,
  receiptsPart,
  sitesPart,
  itemsPart,
  ucpPart,
  sweepsPart,
  copiesPart,
  pictureMatchesPart,
  webhooksPart,
  publishPart,
  consolePart,
  pagesPart,
];
