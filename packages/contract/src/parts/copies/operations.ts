import { RESEMBLANCE_KINDS } from '@touchstone/certificate/schema';
import { z } from 'zod';
import { defineOperation, type Wire } from '../../operation.ts';
import { nextCursor, REGISTRY_BASE, uuidParameter } from '../../operations/shared.ts';
import { StoreParams } from '../../operations/stores.ts';
import { hostname } from '../../operations/text-fields.ts';
import { HOST_STATEMENTS, type HostStatementCode } from './codes.ts';

const common = { tag: 'Registry', access: 'merchant', noStore: true } as const;

const codes = Object.keys(HOST_STATEMENTS) as [HostStatementCode, ...HostStatementCode[]];
const says = z.enum(codes);

/** What a merchant may decide about a host with copies; `gone` follows from checks alone. */
const decided = ['new', 'mine', 'allowed', 'reported'] as const;

const CopySchema = z
  .object({
    productId: z.uuid(),
    externalProductId: z.string(),
    host: z.string(),
    url: z.string().meta({ description: 'Where it was last found, without the query.' }),
    firstAt: z.iso.datetime(),
    lastAt: z.iso.datetime(),
    times: z.int().meta({
      description:
        'Approximate number of page checks that found it: each process counts at most one a minute.',
    }),
  })
  .meta({
    id: 'Copy',
    description: "A certificate of the store, found on a host that is not the merchant's.",
  });

/** Registrable domains recorded per store; copies kept of each. */
export const MAX_COPY_DOMAINS = 1_000;
export const MAX_COPIES_OF_DOMAIN = 20;

const at = { lastAt: z.iso.datetime() };
const original = z.string().meta({ description: 'The proven host of the merchant.' });

const CopyHostSchema = z
  .object({
    host: z.string(),
    url: z.string().meta({ description: 'Where something was last found, without the query.' }),
    state: z.enum([...decided, 'gone']).meta({
      description:
        'new: the merchant has decided nothing. mine, allowed: it is the merchant’s own, or may use the pictures: it is told of no more. reported: the merchant has reported it. gone: two checks in a row, a day apart, found nothing of the store there.',
    }),
    found: z
      .object({
        certificate: z.object(at).optional().meta({ description: 'A certificate of the store.' }),
        pictures: z
          .object({
            ...at,
            original,
            pictures: z.int().meta({ description: 'Pictures of the page that are certified for it.' }),
            of: z.int().meta({ description: 'Pictures of the page that were compared.' }),
            same: z.array(z.string()).meta({
              description: 'What else the page states as a product with one of them: name, gtin, text.',
            }),
          })
          .optional()
          .meta({
            description: 'Pictures that are certified for the store: two, or one and what is the same.',
          }),
        name: z
          .object({ ...at, original, resemblance: z.array(z.enum(RESEMBLANCE_KINDS)) })
          .optional()
          .meta({ description: 'A host name that resembles one of the store. Alone it proves nothing.' }),
      })
      .meta({
        description: 'What was found there last, by kind. Facts: none of them says that anybody copied.',
      }),
    statement: z
      .object({
        says,
        sentence: z.string(),
        statedAt: z.iso.datetime(),
        confirmed: z.boolean().meta({ description: 'Whether this merchant has confirmed it.' }),
      })
      .optional()
      .meta({
        description:
          'What the merchant who has proven control of that host states about it. Nobody else is told.',
      }),
    firstAt: z.iso.datetime(),
    lastAt: z.iso.datetime(),
    checkedAt: z.iso.datetime().optional().meta({
      description: 'When the service last looked at it by itself: daily, while it is new or reported.',
    }),
  })
  .meta({ id: 'CopyHost', description: 'A host of somebody else, and what was found there of the store.' });

export type CopyHost = Wire<z.output<typeof CopyHostSchema>>;

const CopyDomainSchema = z
  .object({
    domain: z.string().meta({
      description:
        'Registrable domain by the ICANN section of the Public Suffix List; the host itself if it has none, such as an IP address.',
    }),
    firstAt: z.iso.datetime(),
    lastAt: z.iso.datetime(),
    times: z.int().meta({ description: 'Approximate number of page checks that found a copy on it.' }),
    hosts: z.array(CopyHostSchema).meta({
      description: `Those about which nothing is decided, the last found first: at most ${MAX_COPIES_OF_DOMAIN}; then all others.`,
    }),
    copies: z.array(CopySchema).meta({
      description: `Certificates found last, by host and product: at most ${MAX_COPIES_OF_DOMAIN}.`,
    }),
    dropped: z.int().meta({ description: 'Number of older ones that gave way to newer ones.' }),
  })
  .meta({ id: 'CopyDomain' });

const CopyListSchema = z
  .object({
    domains: z.array(CopyDomainSchema),
    limits: z.object({
      domains: z.int().meta({ description: 'Domains recorded at most.' }),
      copiesOfDomain: z.int().meta({ description: 'Copies kept at most of each.' }),
    }),
    more: z.int().meta({
      description: `Number of times that copies were found on further domains but not recorded: a store has at most ${MAX_COPY_DOMAINS} domains.`,
    }),
    nextCursor,
  })
  .meta({ id: 'CopyList' });

const CopyListQuerySchema = z.strictObject({
  cursor: z.string().max(400).optional().meta({ description: '`nextCursor` of the previous page.' }),
  limit: z.coerce.number().int().min(1).max(100).default(50),
});

export type CopyList = Wire<z.infer<typeof CopyListSchema>>;
export type CopyListQuery = z.infer<typeof CopyListQuerySchema>;

const PATH = `${REGISTRY_BASE}/stores/{store_id}`;

export const listCopies = defineOperation({
  ...common,
  id: 'listCopies',
  method: 'GET',
  path: `${PATH}/copies`,
  summary: 'List where certificates, pictures and names of a store were found on other hosts',
  description: `Lists, by registrable domain, where page checks, whoever requested them, found a certificate of the store with a valid
signature, pictures that are certified for it, or a name like that of its proven hosts, on a host that is not the merchant's. The service
looks again daily, until nothing is there. A host is kept for 90 days after something was last found. Requesters are not disclosed.`,
  params: StoreParams,
  query: CopyListQuerySchema,
  replies: { 200: { description: 'One page of copies.', schema: CopyListSchema } },
  errors: ['store_unknown'],
});

const CopyDecisionSchema = z
  .strictObject({
    state: z.enum(decided),
    confirms: says.optional().meta({
      description: 'With mine or allowed: the statement of the host’s owner that the merchant confirms.',
    }),
  })
  .meta({ id: 'CopyDecision' });

export type CopyDecision = z.output<typeof CopyDecisionSchema>;

export const decideCopy = defineOperation({
  ...common,
  id: 'decideCopy',
  method: 'PUT',
  path: `${PATH}/copies/{host}`,
  summary: 'Decide about a host with copies',
  description: `Hosts that are mine or allowed are among the allowed hosts of the store’s picture settings: about their pages, nobody is told
that their pictures are certified for the store. Nothing else about a host is told to others.`,
  params: z.object({ ...StoreParams.shape, host: z.string().max(300).meta({ description: 'The host.' }) }),
  body: CopyDecisionSchema,
  replies: { 200: { description: 'The host, as it is listed.', schema: CopyHostSchema } },
  errors: ['store_unknown', 'copy_unknown', 'conflict'],
});

/** Statements about one host. */
export const MAX_HOST_STATEMENTS = 100;

const statement = {
  about: hostname.meta({ description: 'The host of the shop that it is like, as a page check names it.' }),
  says,
};

const HostStatementsSchema = z
  .object({
    hostname: z.string(),
    statements: z.array(
      z.object({
        ...statement,
        sentence: z.string(),
        statedAt: z.iso.datetime(),
        confirmed: z.boolean().meta({ description: 'Whether the merchant of that shop has confirmed it.' }),
      }),
    ),
  })
  .meta({ id: 'HostStatements' });

export type HostStatements = Wire<z.output<typeof HostStatementsSchema>>;

const ofHost = {
  ...common,
  path: `${REGISTRY_BASE}/merchants/{merchant_id}/host-statements/{hostname}`,
  params: z.object({ merchant_id: uuidParameter('The merchant.'), hostname }),
  replies: { 200: { description: 'The statements.', schema: HostStatementsSchema } },
} as const;

export const getHostStatements = defineOperation({
  ...ofHost,
  id: 'getHostStatements',
  method: 'GET',
  summary: 'Get what a merchant states about its host',
  errors: ['merchant_unknown'],
});

const StatementsBodySchema = z.strictObject({
  statements: z.array(z.strictObject(statement)).max(MAX_HOST_STATEMENTS),
});

export type HostStatement = z.output<typeof StatementsBodySchema>['statements'][number];

export const setHostStatements = defineOperation({
  ...ofHost,
  id: 'setHostStatements',
  method: 'PUT',
  summary: 'State what a host is, towards shops that it is like',
  description: `Replaces what was stated. Only the merchant who has proven control of the host may state it. The merchant of the other shop
sees it beside what was found on the host, and confirms it or not; nobody else is told. The answer does not depend on whether that shop is
known here.`,
  body: StatementsBodySchema,
  errors: ['merchant_unknown', 'conflict'],
});
