import type { ContractPart } from '../../part.ts';
import {
  getDomainFeed,
  getDomainLog,
  getLog,
  getLogCheckpoint,
  getLogPolicy,
  getLogProof,
  getLogTile,
  getMerchantLog,
  setMerchantLog,
} from './operations.ts';

export const transparencyLogPart: ContractPart = {
  name: 'transparency-log',
  operations: [
    getLog,
    getLogPolicy,
    getLogCheckpoint,
    getLogTile,
    getLogProof,
    getDomainLog,
    getDomainFeed,
    getMerchantLog,
    setMerchantLog,
  ],
};
