import { z } from 'zod';

/** Spec "JWKS". */
export const JwksSchema = z
  .object({
    keys: z.array(
      z.object({
        kty: z.literal('RSA'),
        kid: z.string(),
        use: z.literal('sig'),
        alg: z.literal('RS256'),
        n: z.string().meta({ description: 'Modulus, base64url.' }),
        e: z.string().meta({ description: 'Exponent, base64url.' }),
      }),
    ),
  })
  .meta({ id: 'Jwks', description: 'The public keys that proofs are verified with.' });
