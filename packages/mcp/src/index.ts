export { readToolChoice, type ToolChoice } from './listed-tools.ts';
export { createToolBox, createToolServer, type Era, type ToolBox, type ToolServerContext } from './server.ts';
export { ToolError, toolError } from './tool-fault.ts';
export type { ItemsVerified, ToolUseCases } from './use-cases.ts';
