import type { ContractPart } from '../../part.ts';
import { recordNft } from './operations.ts';

export const nftPart: ContractPart = { name: 'nft', operations: [recordNft] };
