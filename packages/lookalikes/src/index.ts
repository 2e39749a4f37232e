export { type HostForms, hostForms } from './host-forms.ts';
export { createLookalikes, type Lookalikes, type Resemblance } from './lookalikes.ts';
export { RESEMBLANCES, type ResemblanceKind } from './resemblances.ts';
export { registeredDomain } from './split-host.ts';
