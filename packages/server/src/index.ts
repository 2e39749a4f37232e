export { startService } from './compose.ts';
export { developmentChain } from './images/signing-chain.ts';
export { type Config, readConfig } from './platform/settings/config.ts';
export { ConfigError, type Settings } from './platform/settings/settings-reader.ts';
export { StartError } from './platform/start-error.ts';
export { VERSION } from './platform/version.ts';
export type { Overrides, RunningService } from './running-service.ts';
