import { VERSION } from '@touchstone/certificate';
import { Gauge, type Registry } from 'prom-client';

/** Tells which build is running, once per node: 1, with version and commit as labels; without the label where the commit is not known. */
export function tellBuild(register: Registry, commit: string | undefined): void {
  const labels = { version: VERSION, ...(commit === undefined ? {} : { commit }) };
  new Gauge({
    name: 'touchstone_build_info',
    help: 'The version that runs and the commit that it was made from; always 1.',
    labelNames: Object.keys(labels),
    registers: [register],
  }).set(labels, 1);
}
