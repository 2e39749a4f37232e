import type { Store } from '@touchstone/contract';
import type { ServiceClient } from '../../client.ts';
import type { StatusPart } from '../../status/status-part.ts';

/** Pages, by the service's scheduled checks. */
export async function pagePart(client: ServiceClient, { id }: Store): Promise<StatusPart> {
  const sweep = await client.call('getSweep', { params: { store_id: id } });
  const { state, summary, pages, problems, copies } = sweep;
  const { checked, waiting, expired, lost, failed, verified, drifted = 0 } = pages;
  if (state === 'off' && checked === 0)
    return { name: 'pages', value: sweep, says: [], state: 'well', nextSteps: [] };
  const unfinished = waiting > 0 && state !== 'off' ? 'working' : 'well';
  return {
    name: 'pages',
    value: sweep,
    says: [
      summary.replace(/\.$/, ''),
      ...(copies === 0
        ? []
        : [
            copies === 1
              ? 'copies of certificates on a domain of another party'
              : `copies of certificates on ${copies} domains of other parties`,
          ]),
    ],
    state: expired + lost + failed > 0 ? 'failed' : verified < checked || drifted > 0 ? 'open' : unfinished,
    nextSteps: [
      ...problems.map(
        ({ result, nextStep }) => `${nextStep} See which: touchstone sweeps ${id} --pages ${result}`,
      ),
      ...(drifted === 0
        ? []
        : [
            `Bring the pages in line with the catalogue, or send the products again. See which: touchstone sweeps ${id} --drifted`,
          ]),
      ...(copies === 0 ? [] : [`See where the copies are: touchstone sweeps ${id} --copies`]),
    ],
  };
}
