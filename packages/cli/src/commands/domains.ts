import { randomUUID } from 'node:crypto';
import type { DomainProof, DomainView } from '@touchstone/contract';
import type { Command } from 'commander';
import { EXIT, usage } from '../cli-error.ts';
import { type Paint, safe, table } from '../output/text.ts';
import { domainProofText, domainProofWays, domainState, isOpenDomain } from '../registry/domain-proofs.ts';
import { addRegistryCommand, compact } from '../registry/registry-command.ts';
import type { Session } from '../session.ts';

const STORE = '6a1d58cf-43f8-4f1d-9c53-5a4c1f5f0b01';

export function addDomains(program: Command, session: Session): void {
  const domains = program
    .command('domains')
    .description('Domains of a store, and proof that the merchant controls them.');
  addRegistryCommand(domains, session, {
    words: 'list <store-id>',
    description: 'List the domains of a store, with how to prove those that are not proven.',
    example: `domains list ${STORE}`,
    run: async ({ client, args: [id = ''], session: { paint } }) => {
      const store = await client.call('getStore', { params: { store_id: id } });
      const value = store.domains.map((domain) => ({
        ...domain,
        ...(isOpenDomain(domain) ? { ways: domainProofWays(store, domain) } : {}),
      }));
      const words = () =>
        table(store.domains.map((domain) => [domain.hostname, domainState(domain)])) +
        store.domains
          .filter(isOpenDomain)
          .map((domain) => missed(domain, paint) + domainProofText(store, domain))
          .join('');
      const isDone = !store.domains.some(isOpenDomain);
      return { value: { domains: value }, words, exit: isDone ? EXIT.verified : EXIT.unverified };
    },
  });
  addRegistryCommand(domains, session, {
    words: 'add <store-id> <hostname>',
    description: 'Add a domain to a store, and show how to prove it. www. is a separate domain.',
    example: `domains add ${STORE} www.shop.example`,
    run: async ({ client, args: [id = '', hostname = ''] }) => {
      const params = { store_id: id };
      const domain = await client.call(
        'addDomain',
        { params, body: { hostname } },
        { idempotencyKey: randomUUID() },
      );
      const store = await client.call('getStore', { params });
      const value = isOpenDomain(domain) ? { ...domain, ways: domainProofWays(store, domain) } : domain;
      return {
        value,
        words: () => (isOpenDomain(domain) ? domainProofText(store, domain) : proven(domain.hostname)),
      };
    },
  });
  addRegistryCommand(domains, session, {
    words: 'verify <store-id> <hostname>',
    description: 'Have the service check that the merchant controls a domain.',
    example: `domains verify ${STORE} shop.example`,
    run: async ({ client, args: [id = '', hostname = ''], session: { paint } }) => {
      const params = { store_id: id, hostname };
      const proof = await client.call('verifyDomain', { params });
      if (proof.verified) return { value: proof, words: () => proven(hostname) + seen(proof, paint) };
      const store = await client.call('getStore', { params: { store_id: id } });
      const domain = { hostname, challenge: proof.lookedFor };
      const words = () =>
        `${paint('bad', verdict(proof))}\n${seen(proof, paint)}${portRemedy(proof)}${proof.decidedAt === undefined ? domainProofText(store, domain) : `${safe(proof.nextStep)}\n`}`;
      return { value: { ...proof, ways: domainProofWays(store, domain) }, words, exit: EXIT.failed };
    },
  });
  addRegistryCommand(domains, session, {
    words: 'history <store-id> <hostname>',
    description: 'List the last checks of the proof of a domain.',
    example: `domains history ${STORE} shop.example`,
    run: async ({ client, args: [id = '', hostname = ''] }) => {
      const params = { store_id: id, hostname };
      const value = await client.call('listDomainChecks', { params });
      const words = () =>
        table(
          value.checks.map(({ checkedAt, reason, outcome, method, saw }) => [
            checkedAt,
            reason,
            outcome,
            method ?? saw?.map(({ detail }) => detail).join(' ') ?? '',
          ]),
        );
      return { value, words };
    },
  });
  addRegistryCommand<{ readonly yes?: boolean }>(domains, session, {
    words: 'remove <store-id> <hostname>',
    description: 'Remove a domain from a store: products on it no longer publish a certificate.',
    example: `domains remove ${STORE} old.shop.example --yes`,
    options: (command) => command.option('--yes', 'confirm the removal'),
    run: async ({ client, args: [id = '', hostname = ''], options: { yes } }) => {
      if (yes !== true)
        throw usage(
          `Products of the store on ${hostname} will no longer publish a certificate.`,
          'Confirm with --yes.',
          'confirmation_missing',
        );
      const change = await client.call('removeDomain', { params: { store_id: id, hostname } });
      const words = () =>
        `${safe(hostname)} is no longer a domain of the store.${change === undefined ? '' : ' Its products are still being updated: touchstone changes --watch'}\n`;
      return { value: { hostname, removed: true, ...compact({ change }) }, words };
    },
  });
}

/** What was looked for and seen when the challenge of a proven domain was missing. */
function missed({ challenge, missing }: DomainView, paint: Paint): string {
  return missing === undefined ? '' : `Looked for ${safe(challenge)}\n${seen(missing, paint)}`;
}

function proven(hostname: string): string {
  return `${safe(hostname)} is proven. Leave the challenge in place: it is looked for again within 10 days.\n`;
}

function verdict({ provenUntil, decidedAt }: DomainProof): string {
  if (decidedAt !== undefined)
    return `Not yet decided: another merchant owns it until ${decidedAt} at least.`;
  return provenUntil === undefined
    ? 'Not proven.'
    : `Not found now. The earlier proof counts until ${provenUntil}.`;
}

function portRemedy({ saw }: Pick<DomainProof, 'saw'>): string {
  return saw.some(({ code }) => code === 'port_blocked')
    ? 'The service does not fetch from this port. Its operator can allow it with TOUCHSTONE_FETCH_PORTS; the TXT record needs no port.\n'
    : '';
}

function seen({ saw }: Pick<DomainProof, 'saw'>, paint: Paint): string {
  return saw
    .map(
      ({ where, found, detail }) =>
        `  ${paint(found ? 'good' : 'dim', found ? '+' : '-')} ${safe(where)}: ${safe(detail)}\n`,
    )
    .join('');
}
