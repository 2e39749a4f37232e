export { startService } from './compose.ts';
export { developmentChain } from './images/development-chain.ts';
export { StartError } from './platform/lifecycle/start-error.ts';
export { type Config, ConfigError, readConfig, type Settings } from './platform/settings/config.ts';
export { VERSION } from './platform/version.ts';
export type { Overrides, RunningService } from './running-service.ts';
