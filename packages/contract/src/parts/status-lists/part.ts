import type { ContractPart } from '../../part.ts';
import { getStatusList, getStatusListKeys, listStatusLists, mergeStatusList } from './operations.ts';

export const statusListsPart: ContractPart = {
  name: 'status-lists',
  operations: [getStatusList, getStatusListKeys, listStatusLists, mergeStatusList],
};
