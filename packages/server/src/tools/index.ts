/** The companion tool server for whoever runs it beside a client, over stdio, in front of a service elsewhere. */
export { serveTools } from './stdio.ts';
export { ToolError, toolError } from './tool-fault.ts';
export type { ToolUseCases } from './use-cases.ts';
