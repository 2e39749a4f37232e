export { type Config, readConfig } from './config.ts';
export { docsFiles } from './docs-files.ts';
export { developmentChain } from './images/signing-chain.ts';
export { ConfigError, type Settings } from './settings-reader.ts';
export type { Overrides, RunningService } from './start/running-service.ts';
export { StartError } from './start/start-error.ts';
export { startService } from './start/start-service.ts';
export { VERSION } from './version.ts';
