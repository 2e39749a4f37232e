import { z } from 'zod';

/** 2^256 - 1, the last token id that there can be. */
const LAST_TOKEN = (1n << 256n) - 1n;

const tokenId = z
  .string()
  .regex(/^(0|[1-9]\d{0,77})$/, 'Input should be a whole number in decimal digits, as text')
  .refine((text) => !/^\d{1,78}$/.test(text) || BigInt(text) <= LAST_TOKEN, {
    message: 'Input should be at most 2^256 - 1',
  });

const hex = (digits: number) =>
  z.string().regex(new RegExp(`^0x[0-9a-fA-F]{${digits}}$`), `Input should be 0x and ${digits} hex digits`);

/** Body of POST …/images/{image_id}/nft. */
export const NftInputSchema = z
  .strictObject({
    chain: z.string().max(40).meta({ description: 'One of the chains that the operator has set up.' }),
    contract: hex(40).meta({ description: 'Address of the contract that records the image.' }),
    tokenId: tokenId.meta({ description: 'Decimal digits, as text: it may be more than a number holds.' }),
    transactionHash: hex(64).meta({ description: 'The transaction to that contract which made the token.' }),
  })
  .meta({ id: 'NftInput' });

export const NftViewSchema = z
  .object({
    imageId: z.uuid(),
    minted: z.literal(true),
    chain: z.string(),
    chainId: z.int(),
    contract: z.string(),
    tokenId: z.string(),
    transactionHash: z.string(),
    explorerUrl: z.string().optional(),
    uhash: z.string().meta({ description: 'SHA-256 of the bytes that the token speaks of.' }),
  })
  .meta({
    id: 'RecordedNft',
    description: 'A token that was seen on its chain to carry the hash of the image.',
  });

export type NftInput = z.infer<typeof NftInputSchema>;
export type NftView = z.infer<typeof NftViewSchema>;
