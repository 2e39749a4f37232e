import type { ListToolsResult } from '@modelcontextprotocol/server';
import { CORE_TOOLS, TOOLS } from '@touchstone/contract/tools';

/** Stands for the tools of the specification in a choice. */
const CORE = 'core';
/** Names of a choice that are reported. */
const REPORTED = 5;

/** Which tools a client wants listed, by their names; or why the choice is none, as a sentence. */
export type ToolChoice = { readonly names: readonly string[] } | { readonly fault: string };

/**
 * Reads which tools a connection wants listed, since some clients accept few tools of all their servers together: names, separated by commas;
 * `core` stands for those of the specification. Tools that are not listed can still be called.
 */
export function readToolChoice(text: string): ToolChoice {
  const asked = text.split(',').map((name) => name.trim());
  const known = TOOLS.map(({ name }) => name);
  const unknown = asked.filter((name) => name !== CORE && !known.includes(name));
  if (unknown.length === 0)
    return { names: asked.flatMap((name) => (name === CORE ? CORE_TOOLS.map((tool) => tool.name) : [name])) };
  const told = unknown.slice(0, REPORTED).map((name) => JSON.stringify(name.slice(0, 50)));
  return {
    fault: `tools names ${told.join(', ')}. It takes ${[CORE, ...known].join(', ')}, separated by commas.`,
  };
}

/** @param names - of the tools to list; absent: all */
export function listedTools(
  toolList: ListToolsResult,
  names: readonly string[] | undefined,
): ListToolsResult {
  return names === undefined
    ? toolList
    : { ...toolList, tools: toolList.tools.filter(({ name }) => names.includes(name)) };
}
