import { CHECK_SITE_TOOL, VERIFY_ITEMS_TOOL } from '@touchstone/contract/tools';
import type { Logger } from 'pino';
import type { Config } from '../../platform/settings/config.ts';
import { allowedHostnames } from './guards.ts';
import type { McpRouteOptions } from './routes.ts';
import { type ServiceUseCases, serviceUseCases } from './service-use-cases.ts';

export interface ToolsOptions {
  readonly config: Config;
  readonly logger: Logger;
  /** Where it listens. */
  readonly url: string;
  readonly baseUrl: string;
  readonly mcpUrl: string;
}

/** The companion tool server over the service's own use cases. */
export function openTools(service: ServiceUseCases, options: ToolsOptions): McpRouteOptions {
  const { config, logger, url, baseUrl, mcpUrl } = options;
  return {
    without: [
      ...(service.checkSite === undefined ? [CHECK_SITE_TOOL.name] : []),
      ...(service.verifyItem === undefined ? [VERIFY_ITEMS_TOOL.name] : []),
    ],
    useCasesFor: (call) => serviceUseCases(service, call),
    allowedHostnames: allowedHostnames([baseUrl, mcpUrl, url], config.host),
    onFault: (error) => logger.error({ err: error }, 'a companion tool failed'),
  };
}
