import { z } from 'zod';
import { type Operation, operation } from '../../platform/http/operation.ts';
import { BASE, PRIVATE, StoreParams } from '../common.ts';
import { type Registry, scopeOf } from '../context.ts';
import { DomainCreateSchema, DomainProofSchema, DomainSchema } from '../schema/store.ts';
import { hostname } from '../schema/text.ts';
import { addDomain, removeDomain } from './domains.ts';
import type { DomainProofPorts } from './find-proof.ts';
import { verifyDomain } from './verify-domain.ts';

const VERIFY = `Looks for the challenge at \`/.well-known/touchstone-challenge\`, in \`<meta name="touchstone-challenge">\` in
the head of the home page, and in the TXT record \`_touchstone-challenge.<hostname>\`, until it is found. The first
merchant to prove a hostname owns it; stores of others lose it, and products of theirs on it are active no more.`;

export function domainRows(registry: Registry, ports: DomainProofPorts): Operation[] {
  return [
    operation({
      id: 'addDomain',
      method: 'POST',
      path: `${BASE}/stores/{store_id}/domains`,
      tag: 'Registry',
      summary: 'Add a domain to a store',
      access: 'merchant',
      idempotent: true,
      params: StoreParams,
      body: DomainCreateSchema,
      responses: { 201: { description: 'The domain, and its challenge.', schema: DomainSchema } },
      errors: ['store_unknown', 'hostname_taken', 'conflict'],
      handle: async ({ params, body }, call) => ({
        status: 201,
        headers: PRIVATE,
        body: await addDomain(registry, scopeOf(call.identity), params.store_id, body),
      }),
    }),
    operation({
      id: 'removeDomain',
      method: 'DELETE',
      path: `${BASE}/stores/{store_id}/domains/{hostname}`,
      tag: 'Registry',
      summary: 'Take a domain from a store',
      description:
        'Products on it are active no more. It is free for whoever proves it next, unless another store of the ' +
        "merchant has it. The host of the store's own address stays: change that first.",
      access: 'merchant',
      params: z.object({ ...StoreParams.shape, hostname }),
      responses: { 204: { description: 'It is no domain of the store.' } },
      errors: ['store_unknown', 'domain_unknown_to_store', 'conflict'],
      handle: async ({ params }, call) => {
        await removeDomain(registry, scopeOf(call.identity), params.store_id, params.hostname);
        return { status: 204 };
      },
    }),
    operation({
      id: 'verifyDomain',
      method: 'POST',
      path: `${BASE}/stores/{store_id}/domains/{hostname}/verify`,
      tag: 'Registry',
      summary: 'Prove control of a domain',
      description: VERIFY,
      access: 'merchant',
      params: z.object({ ...StoreParams.shape, hostname }),
      responses: {
        200: { description: 'What was looked for, and what was there.', schema: DomainProofSchema },
      },
      errors: [
        'store_unknown',
        'domain_unknown_to_store',
        'hostname_taken',
        'conflict',
        'network_unavailable',
      ],
      handle: async ({ params }, call) => ({
        status: 200,
        headers: PRIVATE,
        body: await verifyDomain(registry, ports, scopeOf(call.identity), params.store_id, params.hostname),
      }),
    }),
  ];
}
