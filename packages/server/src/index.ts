export { VERSION } from '@touchstone/certificate';
export { developmentChain } from './core/images/development-chain.ts';
export { type ListedCertificate, pinTrustList, type TrustListChange } from './core/images/pin-trust-list.ts';
export { certificatesOf, type TrustPurpose, trustListPath } from './core/images/trust-list.ts';
export type { Overrides, RunningService } from './core/running-service.ts';
export { readConfig } from './parts.ts';
export { StartError } from './platform/lifecycle/start-error.ts';
export { type Config, ConfigError, type Settings } from './platform/settings/config.ts';
export { startService } from './start/start-service.ts';
