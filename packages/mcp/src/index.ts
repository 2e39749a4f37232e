export { callIfCached, type ToolMessage } from './call-if-cached.ts';
export { createToolBox, createToolServer, type ToolBox, type ToolServerContext } from './server.ts';
export { ToolError, toolError } from './tool-fault.ts';
export type { CachedUseCases, ToolUseCases } from './use-cases.ts';
