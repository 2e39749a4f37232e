import { JwksSchema } from '@touchstone/certificate/schema';
import { z } from 'zod';
import { defineOperation, type Wire } from '../../operation.ts';
import { NOT_MODIFIED, PUBLIC_BASE, REGISTRY_BASE } from '../../operations/shared.ts';

const MEDIA_TYPE = 'application/statuslist+jwt';
/** Shared caches may keep a list for a minute; verifiers look again after the `ttl` of its token. */
export const STATUS_LIST_CACHE_CONTROL = 'public, max-age=60';

/** The path of a status list. */
export const statusListPath = (list: number | string): string => `${PUBLIC_BASE}/status/${list}`;

const LIST = `A token of draft-ietf-oauth-status-list-20: whether the proofs that name this list are valid (0), withdrawn for good (1) or
suspended (2), in two bits each. It is signed by a key of \`status-list-jwks.json\`, valid for a day, and states in \`ttl\` when to look
again. \`revoked_kids\` names keys of proofs that were revoked: none of their proofs is valid. Build this address from the issuer that you
trust and the number of the list; never fetch another because a proof says so.`;

export const getStatusList = defineOperation({
  id: 'getStatusList',
  tag: 'Certificates',
  access: 'public',
  anyOrigin: true,
  hot: true,
  method: 'GET',
  cacheControl: STATUS_LIST_CACHE_CONTROL,
  path: `${PUBLIC_BASE}/status/{list}`,
  summary: 'Get a status list',
  description: LIST,
  params: z.object({
    list: z
      .string()
      .regex(/^[1-9]\d{0,9}$/)
      .meta({ description: 'The number of the list, as in the proof.' }),
  }),
  query: z.strictObject({
    time: z.string().max(20).optional().meta({
      description: 'The draft lets servers answer for a time in the past. This one keeps no history: 501.',
    }),
  }),
  replies: {
    200: { description: 'The token; may be cached for a minute.', mediaType: MEDIA_TYPE },
    304: NOT_MODIFIED,
  },
  errors: ['status_list_unknown', 'status_history_unsupported', 'blobs_unavailable'],
});

const StatusListKeysSchema = JwksSchema.extend({
  claim_required_from: z.int().meta({
    description: 'Seconds since 1970, UTC: each proof issued from then on names an entry of a status list.',
  }),
}).meta({ id: 'StatusListKeys', description: 'The public keys that status lists are verified with.' });

export type StatusListKeys = Wire<z.output<typeof StatusListKeysSchema>>;

export const getStatusListKeys = defineOperation({
  id: 'getStatusListKeys',
  tag: 'Keys',
  access: 'public',
  anyOrigin: true,
  hot: true,
  method: 'GET',
  cacheControl: 'public, max-age=3600',
  path: '/api/v1/.well-known/status-list-jwks.json',
  summary: 'Get the public keys of status lists',
  description: 'They sign status lists and no proofs; keys of proofs sign no lists.',
  replies: {
    200: { description: 'The key set; may be cached for an hour.', schema: StatusListKeysSchema },
    304: NOT_MODIFIED,
  },
  errors: ['keys_unavailable'],
});

const StatusListsSchema = z
  .object({
    lists: z.array(
      z.object({
        list: z.int(),
        openedAt: z.iso.datetime(),
        closedAt: z.iso.datetime().optional().meta({ description: 'No further proof names it.' }),
        issuedAt: z.iso.datetime().meta({ description: 'Of the token that is served now.' }),
        taken: z.int().meta({ description: 'Entries given out.' }),
        withdrawn: z.int(),
        suspended: z.int(),
      }),
    ),
    waiting: z.int().meta({ description: 'Changes that are due; counted up to 10,000.' }),
    restoredAt: z.iso.datetime().optional().meta({
      description: 'When the database was last found to be older than what had been published.',
    }),
  })
  .meta({ id: 'StatusLists', description: 'State of the status lists.' });

export type StatusLists = Wire<z.output<typeof StatusListsSchema>>;

const operator = { tag: 'Registry', access: 'operator', noStore: true } as const;

export const listStatusLists = defineOperation({
  ...operator,
  id: 'listStatusLists',
  method: 'GET',
  path: `${REGISTRY_BASE}/status-lists`,
  summary: 'State of the status lists',
  replies: { 200: { description: 'The state.', schema: StatusListsSchema } },
  errors: [],
});

export const mergeStatusList = defineOperation({
  ...operator,
  id: 'mergeStatusList',
  method: 'POST',
  path: `${REGISTRY_BASE}/status-lists/merge`,
  summary: 'Take over what a published status list calls withdrawn',
  description:
    'For a restored database whose copies of status lists were lost: the token that was last published of a list, from a CDN say. What it calls withdrawn stays withdrawn, keys that it names are revoked again, and new lists are opened. It must be signed by a key of status lists of this service.',
  body: z.strictObject({
    token: z.string().max(700_000).meta({ description: 'As it was published.' }),
  }),
  replies: { 200: { description: 'The state.', schema: StatusListsSchema } },
  errors: ['status_list_refused', 'blobs_unavailable'],
});
