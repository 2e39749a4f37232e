import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/server';
import { checkValue } from '@touchstone/contract/validation';
import { z } from 'zod';
import { advertisedSchema } from './advertised-schema.ts';
import { type ToolFault, ToolFaultSchema, toolError } from './tool-fault.ts';
import type { ToolUseCases } from './use-cases.ts';

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
  /** @throws ToolError or ServiceError for whatever keeps it from answering */
  readonly run: (args: unknown, context: ToolContext) => Promise<ToolAnswer>;
}

/** Writes one tool down; the arguments reach `run` checked. */
export function tool<Arguments extends z.ZodType>(row: {
  readonly name: string;
  readonly title: string;
  readonly description: string;
  /** Whether it looks at the world outside of the service. */
  readonly openWorld: boolean;
  readonly arguments: Arguments;
  /** What it answers; a fault may always come in its place. */
  readonly answers: readonly z.ZodType[];
  readonly run: (args: z.infer<Arguments>, context: ToolContext) => Promise<ToolAnswer>;
}): Tool {
  const { name, title, description, openWorld: openWorldHint, arguments: schema, answers, run } = row;
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
      if (checked.ok) return run(checked.value, context);
      const detail = checked.faults.map(({ loc, msg, type }) => ({ loc: [...loc], msg, type }));
      throw toolError('arguments_invalid', { detail: [...detail, ...strangers(args, schema)] });
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
    content: say.map((text) => ({ type: 'text', text })),
    structuredContent: { ...data },
  };
}
