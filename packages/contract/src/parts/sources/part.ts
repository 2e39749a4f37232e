import type { ContractPart } from '../../part.ts';
import {
  createImport,
  deleteStoreSource,
  followImport,
  getImport,
  getStoreSource,
  listImports,
  putStoreSource,
} from './operations.ts';

export const sourcesPart: ContractPart = {
  name: 'sources',
  operations: [
    createImport,
    listImports,
    getImport,
    followImport,
    putStoreSource,
    getStoreSource,
    deleteStoreSource,
  ],
};
