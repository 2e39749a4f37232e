import { codeRows } from '../../code-table.ts';
import type { ContractPart } from '../../part.ts';
import {
  connectShopify,
  disconnectShopify,
  getShopify,
  readShopify,
  receiveShopifyWebhook,
  SHOPIFY_PROBLEMS,
} from './operations.ts';

export const shopifyPart: ContractPart = {
  name: 'shopify',
  operations: [connectShopify, getShopify, readShopify, disconnectShopify, receiveShopifyWebhook],
  codes: [
    {
      title: 'Problems of Shopify connections',
      intro: 'In `code` of `problem` and `problems` of a connection, with the sentence as the next step.',
      advice: 'Do what the sentence says; temporary problems are retried automatically.',
      rows: codeRows(SHOPIFY_PROBLEMS),
    },
  ],
};
