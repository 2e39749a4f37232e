import { z } from 'zod';
import { defineOperation, type Wire } from '../../operation.ts';
import { ImageParams } from '../../operations/products.ts';
import { REGISTRY_BASE } from '../../operations/shared.ts';

const common = { tag: 'Registry', access: 'merchant', noStore: true } as const;

/** 2^256 - 1, the largest possible token id. */
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
const NftInputSchema = z
  .strictObject({
    chain: z.string().max(40).meta({ description: 'Name of a chain that the operator has configured.' }),
    contract: hex(40).meta({ description: 'Address of the contract that records the image.' }),
    tokenId: tokenId.meta({
      description: 'Decimal digits as a string: it may exceed the range of JSON numbers.',
    }),
    transactionHash: hex(64).meta({
      description: 'The transaction to that contract which minted the token.',
    }),
  })
  .meta({ id: 'NftInput' });

const RecordedNftSchema = z
  .object({
    imageId: z.uuid(),
    minted: z.literal(true),
    chain: z.string(),
    chainId: z.int(),
    contract: z.string(),
    tokenId: z.string(),
    transactionHash: z.string(),
    explorerUrl: z.string().optional(),
    uhash: z.string().meta({ description: 'SHA-256 of the bytes that the token refers to.' }),
    standard: z
      .enum(['ERC-721', 'ERC-1155'])
      .meta({ description: 'The standard by which the contract answered.' }),
    owner: z.string().meta({ description: 'Owner of the token at that time, according to the contract.' }),
    tokenUri: z
      .string()
      .optional()
      .meta({ description: 'As returned by the contract: third-party text. Nothing is fetched from it.' }),
    seenOn: z.iso.date().meta({ description: 'When the chain was queried.' }),
  })
  .meta({
    id: 'RecordedNft',
    description:
      'What the contract answered: the transaction minted the token, the contract recorded the hash of the image for it, and names an owner. Who created the contract was not checked.',
  });

export type NftInput = z.infer<typeof NftInputSchema>;
export type RecordedNft = Wire<z.infer<typeof RecordedNftSchema>>;

export const recordNft = defineOperation({
  ...common,
  id: 'recordNft',
  method: 'POST',
  path: `${REGISTRY_BASE}/images/{image_id}/nft`,
  summary: 'Record the token of an image',
  description: `Records the token if the chain shows that the transaction minted it (ERC-721 or ERC-1155), that the contract
recorded the hash of the image for it, and that it has an owner. Otherwise the call is refused, with \`expected\` and
\`actual\` in the problem. A token can be recorded for only one image among all merchants. The record is shown as long as
the image has the bytes for which it was made. Repeating the call for a recorded token returns the same record.`,
  idempotent: true,
  params: ImageParams,
  body: NftInputSchema,
  replies: {
    200: { description: 'The token is recorded and shown in the certificate.', schema: RecordedNftSchema },
  },
  errors: [
    'image_unknown',
    'image_unhashed',
    'nft_chain_unknown',
    'nft_transaction_unknown',
    'nft_transaction_failed',
    'nft_contract_differs',
    'nft_token_unrecorded',
    'nft_not_minted',
    'nft_owner_unknown',
    'nft_token_taken',
    'nft_image_differs',
    'nft_unconfirmed',
    'chain_unavailable',
    'conflict',
  ],
});
