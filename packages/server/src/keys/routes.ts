import { JwksSchema } from '@touchstone/certificate/schema';
import { documentReply } from '../platform/http/document-reply.ts';
import { type Operation, operation } from '../platform/http/operation.ts';
import type { GetJwks } from './get-jwks.ts';

/** Spec, Endpoints 5. */
export function keyRows(use: { readonly getJwks: GetJwks }): Operation[] {
  return [
    operation({
      id: 'getJwks',
      method: 'GET',
      path: '/api/v1/.well-known/jwks.json',
      tag: 'Keys',
      summary: 'Get the public keys',
      description: 'For verifying proofs offline: pick the key by the `kid` of the proof, and require RS256.',
      access: 'public',
      anyOrigin: true,
      hot: true,
      responses: {
        200: { description: 'The key set; fresh for an hour.', schema: JwksSchema },
        304: { description: 'The copy at hand still holds.' },
      },
      errors: ['keys_unavailable'],
      handle: async () => documentReply(await use.getJwks()),
    }),
  ];
}
