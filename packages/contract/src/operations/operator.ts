import { z } from 'zod';
import { defineOperation, type Wire } from '../operation.ts';
import { REGISTRY_BASE } from './parts.ts';

const common = { tag: 'Console', access: 'operator', noStore: true } as const;
const PATH = `${REGISTRY_BASE}/operator`;

const QueueSchema = z
  .object({
    queue: z.string(),
    waiting: z.int().meta({ description: 'Jobs that are due and no node works on; counted to 10,000.' }),
    running: z.int().meta({ description: 'Jobs that a node works on.' }),
    scheduled: z.int().meta({ description: 'Jobs that are due later; counted to 10,000.' }),
    retrying: z.int().meta({ description: 'Of those scheduled: the last attempt came to nothing.' }),
    givenUp: z.int().optional().meta({ description: 'Failed for now; told of scans of images only.' }),
    oldestDueAt: z.iso
      .datetime()
      .optional()
      .meta({ description: 'Since when the first of those waiting is due.' }),
  })
  .meta({ id: 'QueueState' });

const RotationSchema = z
  .object({
    purpose: z.enum(['proofs', 'requests']),
    activeKid: z.string().optional().meta({ description: 'Absent: no key may sign now.' }),
    activeFrom: z.iso.datetime().optional(),
    standbyKid: z.string().optional().meta({ description: 'Signs next.' }),
    rotatesAt: z.iso
      .datetime()
      .optional()
      .meta({ description: 'When the standby takes over, unless the key that signs is revoked before.' }),
    retired: z.int(),
    revoked: z.int(),
  })
  .meta({ id: 'KeyRotation' });

const NodeSchema = z
  .object({
    id: z.uuid(),
    version: z.string(),
    processes: z.int(),
    startedAt: z.iso.datetime(),
    seenAt: z.iso.datetime().meta({ description: 'It says every 15 seconds that it is there.' }),
    state: z.enum(['ready', 'not_ready', 'silent']).meta({
      description: 'silent: not heard of for a minute; told for an hour. One that was closed is not told.',
    }),
    problems: z.array(z.string()).meta({ description: 'What keeps it from serving, in sentences.' }),
  })
  .meta({ id: 'NodeHealth' });

const OperatorOverviewSchema = z
  .object({
    at: z.iso.datetime(),
    merchants: z.object({
      count: z.int(),
      paused: z.int(),
      full: z.int().meta({ description: 'Merchants that hold as many seats as their plan has.' }),
      planCapacity: z.int(),
      slotsHeld: z.int(),
    }),
    stores: z.int(),
    nodes: z.array(NodeSchema),
    queues: z.array(QueueSchema),
    keys: z.array(RotationSchema),
  })
  .meta({ id: 'OperatorOverview', description: 'How the service is, over all of its nodes.' });

const HostSchema = z
  .object({
    host: z.string(),
    images: z.int().meta({ description: 'Images there whose last scan came to nothing.' }),
    pages: z.int().meta({ description: 'Pages there that could not be fetched at their last check.' }),
    reasons: z
      .array(z.object({ code: z.string(), count: z.int() }))
      .meta({ description: 'Why, the most frequent first; codes are in the list of codes.' }),
    lastAt: z.iso.datetime().meta({ description: 'When it last went wrong.' }),
  })
  .meta({ id: 'TroubledHost' });

const TroubledHostsSchema = z
  .object({
    hosts: z.array(HostSchema),
    complete: z.boolean().meta({
      description: 'false: there is more than is looked at in one call; the hosts told are those met first.',
    }),
  })
  .meta({ id: 'TroubledHosts', description: 'Hosts of shops that do not answer, are slow or refuse us.' });

export type QueueState = Wire<z.infer<typeof QueueSchema>>;
export type KeyRotation = Wire<z.infer<typeof RotationSchema>>;
export type NodeHealth = Wire<z.infer<typeof NodeSchema>>;
export type OperatorOverview = Wire<z.infer<typeof OperatorOverviewSchema>>;
export type TroubledHost = Wire<z.infer<typeof HostSchema>>;
export type TroubledHosts = Wire<z.infer<typeof TroubledHostsSchema>>;

export const getOperatorOverview = defineOperation({
  ...common,
  id: 'getOperatorOverview',
  method: 'GET',
  path: `${PATH}/overview`,
  summary: 'Get the state of the service',
  description: 'Capacity and its use, nodes, queues, and the rotation of keys.',
  replies: { 200: { description: 'As it is now.', schema: OperatorOverviewSchema } },
  errors: [],
});

export const listTroubledHosts = defineOperation({
  ...common,
  id: 'listTroubledHosts',
  method: 'GET',
  path: `${PATH}/hosts`,
  summary: 'List hosts that do not answer, are slow or refuse us',
  description: 'Those with the most pages and images concerned first; 100 at the most.',
  replies: { 200: { description: 'The hosts, and why.', schema: TroubledHostsSchema } },
  errors: [],
});
