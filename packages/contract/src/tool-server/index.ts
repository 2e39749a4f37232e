export { callAtHand, type MessageAtHand } from './call-at-hand.ts';
export { createToolBox, createToolServer, type ToolBox, type ToolServerContext } from './server.ts';
export { ToolError, toolError } from './tool-fault.ts';
export type { ToolUseCases, UseCasesAtHand } from './use-cases.ts';
