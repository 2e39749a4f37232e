import type { ContractPart } from '../../part.ts';
import {
  attestItem,
  attestPage,
  getAcpSchema,
  getUcpProfile,
  getUcpSchema,
  getUcpSpecification,
} from './operations.ts';

export const ucpPart: ContractPart = {
  name: 'ucp',
  operations: [getUcpProfile, getUcpSchema, getUcpSpecification, getAcpSchema, attestPage, attestItem],
};
