import type { ContractPart } from '../../part.ts';
import { getMerchantSites, getSite, setMerchantSites } from './operations.ts';

export const sitesPart: ContractPart = {
  name: 'sites',
  operations: [getSite, getMerchantSites, setMerchantSites],
};
