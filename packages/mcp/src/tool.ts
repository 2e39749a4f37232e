import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/server';
import { writeOutUnseen } from '@touchstone/certificate/text';
import { type ToolDefinition, type ToolFault, ToolFaultSchema } from '@touchstone/contract/tools';
import { checkValue } from '@touchstone/contract/validation';
import { z } from 'zod';
import { advertisedSchema } from './advertised-schema.ts';
import { toolError } from './tool-fault.ts';
import type { CachedUseCases, ToolUseCases } from './use-cases.ts';

/** A tool's answer: data for programs, and a short summary for people. */
export interface ToolAnswer {
  readonly data: object;
  /** Text blocks. */
  readonly say: readonly string[];
}

/** The context of a call. */
export interface ToolContext {
  readonly use: ToolUseCases;
  readonly signal: AbortSignal;
}

export interface Tool {
  readonly name: string;
  /** As listed to clients. */
  readonly listed: ListedTool;
  /** @throws ToolError, or an error of the use cases */
  readonly run: (args: unknown, context: ToolContext) => Promise<ToolAnswer>;
  /** The same result from the cache; `undefined` if it is not cached or is a fault. */
  readonly runIfCached: (args: unknown, use: CachedUseCases) => CachedAnswer | undefined;
}

/** A result with the JSON of its data, if already serialised. */
export interface CachedAnswer extends ToolAnswer {
  readonly dataText?: string;
}

/** Creates a callable tool; `run` receives validated arguments. */
export function runnable<D extends ToolDefinition>(
  definition: D,
  run: (args: z.output<D['arguments']>, context: ToolContext) => Promise<ToolAnswer>,
  runIfCached: (args: z.output<D['arguments']>, use: CachedUseCases) => CachedAnswer | undefined = () =>
    undefined,
): Tool {
  const { name, title, description, openWorld: openWorldHint, arguments: schema, answers } = definition;
  return {
    name,
    listed: {
      name,
      title,
      description,
      inputSchema: advertisedSchema(schema, 'input'),
      annotations: { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint },
      outputSchema: advertisedSchema(z.union([...answers, ToolFaultSchema]), 'output'),
    },
    run: async (args, context) => {
      const checked = checkValue(schema, args ?? {});
      if (checked.ok) return run(checked.value as z.output<D['arguments']>, context);
      const detail = checked.faults.map(({ loc, msg, type }) => ({ loc: [...loc], msg, type }));
      throw toolError('arguments_invalid', { detail: [...detail, ...unknownArguments(args, schema)] });
    },
    runIfCached(args, use) {
      const checked = checkValue(schema, args);
      return checked.ok ? runIfCached(checked.value as z.output<D['arguments']>, use) : undefined;
    },
  };
}

/** Lists unknown arguments in addition to other faults, as a hint at typing errors; on their own they are ignored, as over HTTP. */
function unknownArguments(args: unknown, schema: z.ZodType): NonNullable<ToolFault['detail']> {
  if (!(schema instanceof z.ZodObject) || typeof args !== 'object' || args === null) return [];
  return Object.keys(args)
    .filter((name) => /^\w{1,50}$/.test(name) && !Object.hasOwn(schema.shape, name))
    .slice(0, 10)
    .map((name) => ({
      loc: [name],
      msg: `No argument of this tool, which takes ${Object.keys(schema.shape).join(', ')}`,
      type: 'extra_forbidden',
    }));
}

export function toolResult({ data, say }: ToolAnswer): CallToolResult {
  return {
    content: say.map((text) => ({ type: 'text', text: writeOutUnseen(text, '\n') })),
    structuredContent: escaped(data) as Record<string, unknown>,
  };
}

/** The JSON of `toolResult`, without its closing bracket. */
export function toolResultText({ data, say, dataText = JSON.stringify(data) }: CachedAnswer): string {
  const content = say.map((text) => `{"type":"text","text":${JSON.stringify(writeOutUnseen(text, '\n'))}}`);
  const structured = isPlainJson(dataText) ? dataText : JSON.stringify(escaped(data));
  return `{"content":[${content.join(',')}],"structuredContent":${structured}`;
}

/** Whether it needs no escaping: all characters are printable ASCII, and none is escaped in the JSON. */
function isPlainJson(text: string): boolean {
  return !/[^\x20-\x7e]|\\[bfnrtu]/.test(text);
}

/** The data with all strings, names included, escaped for a model. */
function escaped(value: unknown): unknown {
  if (typeof value === 'string') return writeOutUnseen(value);
  if (Array.isArray(value)) return value.map(escaped);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [writeOutUnseen(name), escaped(member)]),
  );
}
