import type { Store } from '@touchstone/contract';
import type { ServiceClient } from '../client.ts';
import { domainState } from '../registry/domain-proofs.ts';
import type { ReadPart, StatusPart } from './status-part.ts';

/** What the core tells of a store, in the order of the output. */
export const CORE_STATUS: readonly ReadPart[] = [
  domainPart,
  productPart,
  certificatePart,
  imagePart,
  changePart,
];

async function domainPart(_: ServiceClient, { id, domains }: Store): Promise<StatusPart> {
  const open = domains.filter(({ verified, lostAt }) => !verified && lostAt === undefined);
  const lost = domains.filter(({ lostAt }) => lostAt !== undefined);
  const missing = domains.filter((domain) => domain.missing !== undefined);
  const state = lost.length + missing.length > 0 ? 'failed' : open.length > 0 ? 'open' : 'well';
  return {
    name: 'domains',
    value: domains,
    says: domains.map((domain) => `${domain.hostname}: ${domainState(domain)}`),
    state,
    nextSteps: [
      ...open.map(({ hostname }) => `Prove that ${hostname} is yours: touchstone domains list ${id}`),
      ...missing.map(
        ({ hostname }) => `Put the challenge of ${hostname} back: touchstone domains list ${id}`,
      ),
      ...lost.map(({ hostname }) => `If ${hostname} is yours, prove it: touchstone domains list ${id}`),
    ],
  };
}

async function productPart(client: ServiceClient, { id }: Store): Promise<StatusPart> {
  const counts = await client.call('countProducts', { params: { store_id: id } });
  const { active, hidden, no_slot: waiting, host_lost: lost, paused, disabled } = counts.states;
  const others = Object.entries({
    hidden,
    'waiting for a seat of the plan': waiting,
    'on a lost domain': lost,
    'paused by the operator': paused,
    'disabled by the operator': disabled,
  }).filter(([, count]) => count > 0);
  return {
    name: 'products',
    value: counts,
    says: [
      `${active} of ${counts.total} publish a certificate`,
      ...others.map(([what, count]) => `${count} ${what}`),
    ],
    state: counts.total === 0 || waiting + paused + lost > 0 ? 'open' : 'well',
    nextSteps: [
      ...(counts.total === 0
        ? [`Send the catalogue: touchstone import <file or address> --store ${id}`]
        : []),
      ...(waiting === 0
        ? []
        : [
            'Free seats of the plan: increase the capacity, or hide other products (touchstone products hide)',
          ]),
      ...(lost === 0 ? [] : [`See which: touchstone products list ${id} --state host_lost`]),
      ...(paused === 0 ? [] : ['Ask the operator why the merchant is paused']),
    ],
  };
}

async function certificatePart(client: ServiceClient, { id }: Store): Promise<StatusPart> {
  const progress = await client.call('getCertificateProgress', { params: { store_id: id } });
  const { certificates, left, failed, perSecond, state, lastFailure } = progress;
  const why = lastFailure === undefined ? [] : [`${lastFailure.code}: ${lastFailure.detail}`];
  return {
    name: 'certificates',
    value: progress,
    says: [
      `${certificates} issued`,
      ...(left === 0
        ? []
        : [
            `${left} products to be processed${state === 'waiting' ? ', but no node is working on it' : `, ${perSecond} a second`}`,
          ]),
      ...(failed === 0 ? [] : [`${failed} failed and are retried automatically`, ...why]),
    ],
    state: failed > 0 ? 'failed' : left > 0 ? 'working' : 'well',
    nextSteps: failed === 0 ? [] : ['If it persists, tell the operator what failed'],
  };
}

async function imagePart(client: ServiceClient, { id, signImages }: Store): Promise<StatusPart> {
  const progress = await client.call('getImageProgress', { params: { store_id: id } });
  const { total, certified, failed, waiting, notServed } = progress;
  return {
    name: 'images',
    value: progress,
    says: [
      `${certified} of ${total} certified`,
      ...(waiting === 0 ? [] : [`${waiting} not scanned yet`]),
      ...(failed === 0 ? [] : [`${failed} failed`]),
      ...(notServed === 0
        ? []
        : [`${notServed} signed by the service, while the shop serves the unsigned file`]),
    ],
    state: failed > 0 ? 'failed' : notServed > 0 ? 'open' : waiting > 0 ? 'working' : 'well',
    nextSteps: [
      ...(failed === 0 ? [] : [`See which failed, and why: touchstone images ${id}`]),
      ...(notServed === 0
        ? []
        : [`Put the signed files in place of yours: touchstone images pull ${id} --to signed/`]),
      ...(total > 0 && certified === 0 && waiting === 0 && !signImages
        ? [`Optionally, have images without a manifest signed: touchstone stores update ${id} --sign-images`]
        : []),
    ],
  };
}

async function changePart(_: ServiceClient, { pendingChanges = [] }: Store): Promise<StatusPart> {
  return {
    name: 'changes',
    value: pendingChanges,
    says: pendingChanges.map(
      ({ kind, done, total }) =>
        `${kind}: ${done}${total === undefined ? '' : ` of ${total}`} products updated`,
    ),
    state: pendingChanges.length > 0 ? 'working' : 'well',
    nextSteps: [],
  };
}
