import type { CallToolResult, Tool as ListedTool } from '@modelcontextprotocol/server';
import { writeOutUnseen } from '@touchstone/certificate/text';
import { type ToolDefinition, type ToolFault, ToolFaultSchema } from '@touchstone/contract/tools';
import { checkValue } from '@touchstone/contract/validation';
import { z } from 'zod';
import { advertisedSchema } from './advertised-schema.ts';
import { CARD_URI } from './card.ts';
import { toolError } from './tool-fault.ts';
import type { ToolUseCases } from './use-cases.ts';

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
}

/** Creates a callable tool; `run` receives validated arguments. */
export function runnable<D extends ToolDefinition>(
  definition: D,
  run: (args: z.output<D['arguments']>, context: ToolContext) => Promise<ToolAnswer>,
): Tool {
  const { name, title, description, openWorld: openWorldHint, card, arguments: schema, answers } = definition;
  return {
    name,
    listed: {
      name,
      title,
      description,
      inputSchema: advertisedSchema(schema, 'input'),
      annotations: { readOnlyHint: true, idempotentHint: true, destructiveHint: false, openWorldHint },
      outputSchema: advertisedSchema(z.union([...answers, ToolFaultSchema]), 'output'),
      ...(card === true ? { _meta: { ui: { resourceUri: CARD_URI } } } : {}),
    },
    run: async (args, context) => {
      const checked = checkValue(schema, args ?? {});
      if (checked.ok) return run(checked.value as z.output<D['arguments']>, context);
      const detail = checked.faults.map(({ loc, msg, type }) => ({ loc: [...loc], msg, type }));
      throw toolError('arguments_invalid', { detail: [...detail, ...unknownArguments(args, schema)] });
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
    structuredContent: (isPlain(data) ? data : escaped(data)) as Record<string, unknown>,
  };
}

/** Whether the data have nothing to escape, as usual: then they need no copy. */
function isPlain(value: unknown, keep?: '\n'): boolean {
  if (typeof value === 'string') return writeOutUnseen(value, keep) === value;
  if (typeof value !== 'object' || value === null) return true;
  if (Array.isArray(value)) return value.every((one) => isPlain(one));
  return Object.entries(value).every(([name, member]) => isPlain(name) && isPlain(member, keptIn(name)));
}

/** A proof of inclusion in the log consists of lines, and is worth nothing without them. */
const keptIn = (name: string) => (name === 'svc:logProof' ? '\n' : undefined);

/** The data with all strings, names included, escaped for a model. */
function escaped(value: unknown, keep?: '\n'): unknown {
  if (typeof value === 'string') return writeOutUnseen(value, keep);
  if (Array.isArray(value)) return value.map((one) => escaped(one));
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => [writeOutUnseen(name), escaped(member, keptIn(name))]),
  );
}
