import { z } from 'zod';
import { defineOperation, type Wire } from '../../operation.ts';
import {
  NOT_MODIFIED,
  nextCursor,
  PUBLIC_BASE,
  REGISTRY_BASE,
  uuidParameter,
} from '../../operations/shared.ts';

export const LOG_BASE = `${PUBLIC_BASE}/log`;
/** Seconds for which a checkpoint may be cached. */
const CHECKPOINT_MAX_AGE = 2;
const IMMUTABLE = 'public, max-age=31536000, immutable';
const TEXT = 'text/plain';

/** What every operation of the log has. */
const PUBLIC_GET = { tag: 'Certificates', access: 'public', anyOrigin: true, method: 'GET' } as const;

const name = z
  .string()
  .regex(/^\d{4}(?:-\d{1,3})?$/)
  .meta({
    description:
      'Of the log: the year in which its proofs were issued, UTC, such as 2026; with a number if the one before it ended, such as 2026-2.',
  });

const LogSchema = z
  .object({
    logs: z.array(
      z.object({
        name: z.string().meta({ description: '`2026`, or `2026-2` for the successor of one that ended.' }),
        year: z.int(),
        origin: z
          .string()
          .meta({ description: 'First line of its checkpoints; its address without the scheme.' }),
        url: z.string().meta({ description: 'Below it are `checkpoint` and `tile/…` (C2SP tlog-tiles).' }),
        vkey: z.string().meta({ description: 'Its public key (C2SP signed-note).' }),
        size: z.int().meta({ description: 'Leaves of its last checkpoint; 0: it has none yet.' }),
        waiting: z
          .int()
          .meta({ description: 'Proofs that were signed and are not in it yet; counted up to 10,000.' }),
        since: z.iso.datetime().meta({ description: 'It has the proofs issued from then on.' }),
        until: z.iso.datetime(),
        retainedUntil: z.iso
          .datetime()
          .meta({ description: 'Until then at least, none of its files is removed.' }),
        publishedAt: z.iso
          .datetime()
          .optional()
          .meta({ description: 'When its last checkpoint was signed.' }),
        status: z.enum(['witnessed', 'logged']).meta({
          description:
            'witnessed: a quorum of witnesses has cosigned a checkpoint with at least `witnessedSize` leaves; logged: logged, not witnessed.',
        }),
        witnessedSize: z.int().optional(),
        ended: z
          .object({
            at: z.iso.datetime(),
            root: z.string().meta({ description: 'Of its last checkpoint, base64.' }),
            successor: z.string().optional().meta({ description: 'The log that followed it.' }),
          })
          .optional()
          .meta({
            description:
              'Its key was revoked: its last checkpoint has `size` leaves, and nothing else that this key has signed counts unless `witnessedSize` covers it.',
          }),
        refusal: z.string().optional().meta({ description: 'Why it does not grow, in a sentence.' }),
        witnesses: z.array(
          z.object({
            name: z.string(),
            size: z.int().meta({ description: 'Leaves of the last checkpoint that it cosigned; 0: none.' }),
            answer: z
              .string()
              .optional()
              .meta({ description: 'The status of its last answer, or why there was none.' }),
            cosignedAt: z.iso.datetime().optional(),
          }),
        ),
      }),
    ),
    statement: z.enum(['witnessed', 'logged, not witnessed']),
  })
  .meta({ id: 'TransparencyLog', description: 'State of the transparency log.' });

export type TransparencyLogState = Wire<z.output<typeof LogSchema>>;

export const getLog = defineOperation({
  ...PUBLIC_GET,
  id: 'getLog',
  path: LOG_BASE,
  cacheControl: `public, max-age=${CHECKPOINT_MAX_AGE}`,
  summary: 'State of the transparency log',
  description:
    'Every proof is a leaf of the log of the year in which it was issued: kind, domain, times, key, the SHA-256 of the proof, and a salted hash of the product or image; no names, no page addresses. A proof whose document carries `svc:logProof` was logged before it was published.',
  replies: { 200: { description: 'The state.', schema: LogSchema }, 304: NOT_MODIFIED },
  errors: [],
});

export const getLogPolicy = defineOperation({
  ...PUBLIC_GET,
  id: 'getLogPolicy',
  path: `${LOG_BASE}/policy`,
  cacheControl: 'public, max-age=3600',
  summary: 'Get the policy of the log',
  description:
    'C2SP tlog-policy: the keys of all logs, that of the next year included, the witnesses, and the quorum. A log of which the key was revoked is in a comment, `#ended <vkey> <seconds since 1970> <size> <root> <witnessed size> <url>`: others do not trust it at all. Keep your own copy: it decides what you trust.',
  replies: { 200: { description: 'The policy.', mediaType: TEXT }, 304: NOT_MODIFIED },
  errors: [],
});

export const getLogCheckpoint = defineOperation({
  ...PUBLIC_GET,
  id: 'getLogCheckpoint',
  hot: true,
  path: `${LOG_BASE}/{log_name}/checkpoint`,
  cacheControl: `public, max-age=${CHECKPOINT_MAX_AGE}`,
  summary: 'Get the checkpoint of a log',
  description: 'C2SP tlog-checkpoint, with the cosignatures that witnesses have made so far.',
  params: z.object({ log_name: name }),
  replies: { 200: { description: 'The signed note.', mediaType: TEXT }, 304: NOT_MODIFIED },
  errors: ['log_shard_unknown'],
});

/** C2SP tlog-tiles describes it: `tile/<L>/<N>[.p/<W>]` and `tile/entries/<N>[.p/<W>]`. */
export const getLogTile = defineOperation({
  ...PUBLIC_GET,
  id: 'getLogTile',
  hot: true,
  unlisted: true,
  path: `${LOG_BASE}/{log_name}/tile/*`,
  cacheControl: IMMUTABLE,
  summary: 'Get a tile or an entry bundle of a log',
  params: z.object({ log_name: name, '*': z.string().max(200) }),
  replies: {
    200: { description: 'Hashes, or entries.', mediaType: 'application/octet-stream' },
    304: NOT_MODIFIED,
  },
  errors: ['log_shard_unknown', 'log_tile_unknown'],
});

export const getLogProof = defineOperation({
  ...PUBLIC_GET,
  id: 'getLogProof',
  path: `${LOG_BASE}/proofs/{hash}`,
  cacheControl: 'public, max-age=60',
  summary: 'Get the inclusion of a proof in the log',
  description:
    'C2SP tlog-proof against the newest checkpoint that a quorum of witnesses has cosigned; without one, against the newest. Its `extra` is the leaf.',
  params: z.object({
    // of the last character only four bits count: another one would be another address of the same
    hash: z
      .string()
      .regex(/^[A-Za-z0-9_-]{42}[AEIMQUYcgkosw048]$/)
      .meta({
        description: 'SHA-256 of the proof, that is, of the compact JWS, base64url: `proof` of its leaf.',
      }),
  }),
  replies: { 200: { description: 'The proof of inclusion.', mediaType: TEXT }, 304: NOT_MODIFIED },
  errors: ['log_proof_unknown'],
});

const LogEntrySchema = z.object({
  log: z.string().meta({ description: 'The name of the log.' }),
  index: z.int(),
  kind: z.string(),
  domain: z.string(),
  issuedAt: z.iso.datetime(),
  expiresAt: z.iso.datetime(),
  kid: z.string(),
  proof: z
    .string()
    .meta({ description: 'SHA-256 of the proof, base64url, as in its leaf; see `getLogProof`.' }),
  subject: z.string().meta({ description: 'Salted hash of the product or image, base64url.' }),
  salt: z.string().optional().meta({ description: 'Base64url. Only for who has proven the host.' }),
  id: z.uuid().optional().meta({ description: 'Of the product or image. Only for who has proven the host.' }),
  name: z.string().optional().meta({ description: 'Of the product. Only for who has proven the host.' }),
  url: z
    .string()
    .optional()
    .meta({ description: 'The page of the product. Only for who has proven the host.' }),
});

const DomainLogSchema = z
  .object({
    domain: z.string(),
    isProven: z.boolean().meta({
      description:
        'Whether the caller has proven the host, or is the operator, so that names and addresses are shown.',
    }),
    isSignedIn: z.boolean().meta({
      description: 'Whether the caller is known, by an API key or a session of the console.',
    }),
    statement: z.enum(['witnessed', 'logged, not witnessed']),
    entries: z.array(LogEntrySchema).meta({ description: 'Newest first.' }),
    nextCursor,
  })
  .meta({ id: 'DomainLog', description: 'What was issued for a domain and its subdomains.' });

export type DomainLog = Wire<z.output<typeof DomainLogSchema>>;

const host = z
  .string()
  .max(253)
  .regex(/^[a-z0-9._-]+$/)
  .meta({ description: 'In lower case; of an international name its A-labels.' });

export const DomainLogQuerySchema = z.strictObject({
  cursor: z
    .string()
    .regex(/^\d{4}(?:-\d{1,3})?\.\d{1,15}$/)
    .optional()
    .meta({ description: '`nextCursor` of the previous page.' }),
  limit: z.coerce.number().int().min(1).max(500).default(100),
});

export type DomainLogQuery = z.infer<typeof DomainLogQuerySchema>;

export const getDomainLog = defineOperation({
  ...PUBLIC_GET,
  id: 'getDomainLog',
  path: `${LOG_BASE}/domains/{host}`,
  page: true,
  knowsSession: true,
  noStore: true,
  summary: 'What was issued for a domain',
  description:
    'The leaves of a domain and its subdomains in all logs, newest first. With the API key of the merchant that has proven the host, or its session, also ids, names, page addresses and salts, and leaves whose domain is hashed. It is read from an index: whoever does not trust it reads the entry bundles.',
  params: z.object({ host }),
  query: DomainLogQuerySchema,
  replies: { 200: { description: 'A page of leaves.', schema: DomainLogSchema } },
  errors: [],
});

export const getDomainFeed = defineOperation({
  ...PUBLIC_GET,
  id: 'getDomainFeed',
  path: `${LOG_BASE}/domains/{host}/feed`,
  cacheControl: 'public, max-age=60',
  summary: 'The same as a feed',
  description: 'Atom (RFC 4287): the newest hundred leaves of a domain and its subdomains.',
  params: z.object({ host }),
  replies: { 200: { description: 'The feed.', mediaType: 'application/atom+xml' }, 304: NOT_MODIFIED },
  errors: [],
});

const MerchantLogSchema = z
  .object({
    hideDomain: z.boolean().meta({
      description:
        'Whether leaves of proofs issued from now on carry a salted hash in place of the domain: for sole traders, whose domain may name a person. They are logged all the same.',
    }),
  })
  .meta({ id: 'MerchantLog' });

const OF_MERCHANT = {
  tag: 'Registry',
  access: 'merchant',
  noStore: true,
  path: `${REGISTRY_BASE}/merchants/{merchant_id}/log`,
  params: z.object({ merchant_id: uuidParameter('The merchant.') }),
  replies: { 200: { description: 'The setting.', schema: MerchantLogSchema } },
  errors: ['merchant_unknown'],
} as const;

export const getMerchantLog = defineOperation({
  ...OF_MERCHANT,
  id: 'getMerchantLog',
  method: 'GET',
  summary: 'How proofs of a merchant are logged',
});

export const setMerchantLog = defineOperation({
  ...OF_MERCHANT,
  id: 'setMerchantLog',
  method: 'PUT',
  summary: 'Change how proofs of a merchant are logged',
  body: z.strictObject({ hideDomain: z.boolean() }),
});
