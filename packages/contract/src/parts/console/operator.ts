import { z } from 'zod';
import { defineOperation, type Wire } from '../../operation.ts';
import { REGISTRY_BASE } from '../../operations/shared.ts';

const common = { tag: 'Console', access: 'operator', noStore: true } as const;
const PATH = `${REGISTRY_BASE}/operator`;

const QueueSchema = z
  .object({
    queue: z.string(),
    waiting: z
      .int()
      .meta({ description: 'Jobs that are due and on which no node works; counted up to 10,000.' }),
    running: z.int().meta({ description: 'Jobs on which a node works.' }),
    scheduled: z.int().meta({ description: 'Jobs that are due later; counted up to 10,000.' }),
    retrying: z.int().meta({ description: 'Of those scheduled: jobs whose last attempt failed.' }),
    givenUp: z.int().optional().meta({ description: 'Jobs given up for now; only for scans of images.' }),
    oldestDueAt: z.iso.datetime().optional().meta({ description: 'When the oldest waiting job became due.' }),
  })
  .meta({ id: 'QueueState' });

const RotationSchema = z
  .object({
    purpose: z.enum(['proofs', 'requests', 'status_lists', 'receipts', 'attestations']),
    activeKid: z.string().optional().meta({ description: 'Absent if no key may sign now.' }),
    activeFrom: z.iso.datetime().optional(),
    standbyKid: z.string().optional().meta({ description: 'The key that signs next.' }),
    rotatesAt: z.iso.datetime().optional().meta({
      description: 'When the standby key becomes active, unless the active key is revoked earlier.',
    }),
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
    seenAt: z.iso.datetime().meta({ description: 'Last heartbeat; a node sends one every 15 seconds.' }),
    state: z.enum(['ready', 'not_ready', 'silent']).meta({
      description:
        'silent: no heartbeat for a minute; listed for an hour. Nodes that were shut down are not listed.',
    }),
    problems: z.array(z.string()).meta({ description: 'Why it is not ready, in sentences.' }),
    findings: z
      .array(z.string())
      .meta({ description: 'What the operator must look at though it is ready, in sentences.' }),
  })
  .meta({ id: 'NodeHealth' });

const OperatorOverviewSchema = z
  .object({
    at: z.iso.datetime(),
    merchants: z.object({
      count: z.int(),
      paused: z.int(),
      full: z.int().meta({ description: 'Merchants that use every seat of their plan.' }),
      planCapacity: z.int(),
      slotsHeld: z.int(),
    }),
    stores: z.int(),
    nodes: z.array(NodeSchema),
    queues: z.array(QueueSchema),
    keys: z.array(RotationSchema),
  })
  .meta({ id: 'OperatorOverview', description: 'State of the service across all nodes.' });

const HostSchema = z
  .object({
    host: z.string(),
    images: z.int().meta({ description: 'Images on this host whose last scan failed.' }),
    pages: z.int().meta({ description: 'Pages on this host that could not be fetched at their last check.' }),
    reasons: z
      .array(z.object({ code: z.string(), count: z.int() }))
      .meta({ description: 'Reasons, most frequent first; docs/codes.md lists the codes.' }),
    lastAt: z.iso.datetime().meta({ description: 'When the last failure occurred.' }),
  })
  .meta({ id: 'FailingHost' });

const FailingHostsSchema = z
  .object({
    hosts: z.array(HostSchema),
    complete: z.boolean().meta({
      description: 'false if there is more data than one call examines; the hosts found first are listed.',
    }),
  })
  .meta({
    id: 'FailingHosts',
    description: 'Hosts of shops that do not answer, are slow or refuse our requests.',
  });

export type QueueState = Wire<z.infer<typeof QueueSchema>>;
export type KeyRotation = Wire<z.infer<typeof RotationSchema>>;
export type NodeHealth = Wire<z.infer<typeof NodeSchema>>;
export type OperatorOverview = Wire<z.infer<typeof OperatorOverviewSchema>>;
export type FailingHost = Wire<z.infer<typeof HostSchema>>;
export type FailingHosts = Wire<z.infer<typeof FailingHostsSchema>>;

export const getOperatorOverview = defineOperation({
  ...common,
  id: 'getOperatorOverview',
  method: 'GET',
  path: `${PATH}/overview`,
  summary: 'Get the state of the service',
  description: 'Capacity and its use, nodes, queues, and the rotation of keys.',
  replies: { 200: { description: 'The current state.', schema: OperatorOverviewSchema } },
  errors: [],
});

export const listFailingHosts = defineOperation({
  ...common,
  id: 'listFailingHosts',
  method: 'GET',
  path: `${PATH}/hosts`,
  summary: 'List hosts that do not answer, are slow or refuse our requests',
  description: 'At most 100 hosts, those with the most affected pages and images first.',
  replies: { 200: { description: 'The hosts, with the reasons.', schema: FailingHostsSchema } },
  errors: [],
});
