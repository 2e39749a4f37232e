export { VERSION } from '@touchstone/certificate';
export { developmentChain } from './core/images/development-chain.ts';
export { type ListedCertificate, pinTrustList, type TrustListChange } from './core/images/pin-trust-list.ts';
export { certificatesOf, type TrustPurpose, trustListPath } from './core/images/trust-list.ts';
export { StartError } from './platform/lifecycle/start-error.ts';
export { type Config, ConfigError, readConfig, type Settings } from './platform/settings/config.ts';
export type { Overrides, RunningService } from './running-service.ts';
export { startService } from './start-service.ts';
