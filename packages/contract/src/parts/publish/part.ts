import type { ContractPart } from '../../part.ts';
import { getPublication, publishAnew } from './operations.ts';

export const publishPart: ContractPart = { name: 'publish', operations: [getPublication, publishAnew] };
