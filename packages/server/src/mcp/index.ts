/** The companion tool server for whoever runs it beside a client, over stdio, in front of a service elsewhere. */
export type { ToolCode } from './codes.ts';
export { serveTools } from './stdio.ts';
export { ToolError, type ToolFault, toolError } from './tool-fault.ts';
export type { ToolUseCases } from './use-cases.ts';
