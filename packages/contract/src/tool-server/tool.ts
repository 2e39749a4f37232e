import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/server';
import { writeOutUnseen } from '@touchstone/certificate/text';
import { z } from 'zod';
import { type ToolDefinition, type ToolFault, ToolFaultSchema } from '../tools.ts';
import { checkValue } from '../validation/check-value.ts';
import { advertisedSchema } from './advertised-schema.ts';
import { toolError } from './tool-fault.ts';
import type { ToolUseCases, UseCasesAtHand } from './use-cases.ts';

/** What a tool says: data for programs, and the same in a few words for people. */
export interface ToolAnswer {
  readonly data: object;
  /** One block of text each. */
  readonly say: readonly string[];
}

/** Everything that a tool needs of one call. */
export interface ToolContext {
  readonly use: ToolUseCases;
  readonly signal: AbortSignal;
}

export interface Tool {
  readonly name: string;
  /** As clients are shown it. */
  readonly listed: ListedTool;
  /** @throws ToolError, or what the use cases throw, for whatever keeps it from answering */
  readonly run: (args: unknown, context: ToolContext) => Promise<ToolAnswer>;
  /** The same answer at once; `undefined` where it cannot be had from memory, or is a fault. */
  readonly atHand: (args: unknown, use: UseCasesAtHand) => AnswerAtHand | undefined;
}

/** An answer with the JSON of its data, where that is there already. */
export interface AnswerAtHand extends ToolAnswer {
  readonly dataText?: string;
}

/** A tool that can be called; the arguments reach `run` checked. */
export function runnable<D extends ToolDefinition>(
  definition: D,
  run: (args: z.output<D['arguments']>, context: ToolContext) => Promise<ToolAnswer>,
  atHand: (args: z.output<D['arguments']>, use: UseCasesAtHand) => AnswerAtHand | undefined = () => undefined,
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
      throw toolError('arguments_invalid', { detail: [...detail, ...strangers(args, schema)] });
    },
    atHand(args, use) {
      const checked = checkValue(schema, args);
      return checked.ok ? atHand(checked.value as z.output<D['arguments']>, use) : undefined;
    },
  };
}

/** Among other faults an argument of another name tells what was meant; by itself it is ignored, as over HTTP. */
function strangers(args: unknown, schema: z.ZodType): NonNullable<ToolFault['detail']> {
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
    structuredContent: told(data) as Record<string, unknown>,
  };
}

/** The JSON of `toolResult`, without its last bracket. */
export function toolResultText({ data, say, dataText = JSON.stringify(data) }: AnswerAtHand): string {
  const content = say.map((text) => `{"type":"text","text":${JSON.stringify(writeOutUnseen(text, '\n'))}}`);
  const structured = isPlainJson(dataText) ? dataText : JSON.stringify(told(data));
  return `{"content":[${content.join(',')}],"structuredContent":${structured}`;
}

/** Whether no text in it has a character to write out: all are printable ASCII, and none is escaped. */
function isPlainJson(text: string): boolean {
  return !/[^\x20-\x7e]|\\[bfnrtu]/.test(text);
}

/** Plain data with all its texts, names too, as they may be told to a model. */
function told(value: unknown): unknown {
  if (typeof value === 'string') return writeOutUnseen(value);
  if (Array.isArray(value)) return value.map(told);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [writeOutUnseen(name), told(member)]),
  );
}
