import type { Command } from 'commander';

/** Location of a value in a request (`loc` of the validation body): `['path', 'store_id']`. */
type Loc = readonly (string | number)[];
/** Maps such a location to the name that the user knows. */
export type NameOf = (loc: Loc) => string;

/** Members with another name on the command line. */
const OTHER_WORDS: Readonly<Record<string, string>> = {
  planCapacity: 'capacity',
  externalProductId: 'external-id',
};

/** Members that are set only by the environment. */
const VARIABLES: Readonly<Record<string, string>> = {
  accessToken: 'TOUCHSTONE_SHOPIFY_TOKEN',
  clientSecret: 'TOUCHSTONE_SHOPIFY_SECRET',
};

/**
 * The option or argument that a member of a request was given by, as typed: `--store-id`, `<store-id>`. A member without one keeps its own
 * name.
 */
export function inputName(loc: Loc, command?: Command): string {
  const [part, ...rest] = loc;
  const [member = 'the request', ...inside] =
    part === 'path' || part === 'query' || part === 'body' ? rest : loc;
  const own = String(member);
  const words = wordsFor(own);
  const typed = command === undefined ? undefined : (given(command, words) ?? known(command, words));
  return [typed ?? VARIABLES[own] ?? own, ...inside].join('.');
}

/** Possible names, the likeliest first: `store_id` and `storeId` are `store-id`, or `store` for short. */
function wordsFor(member: string): readonly string[] {
  const word =
    OTHER_WORDS[member] ??
    member.replace(/(?<=[a-z])[A-Z]/g, (letter) => `-${letter.toLowerCase()}`).replaceAll('_', '-');
  return [word, word.replace(/-id$/, ''), word.replace(/s$/, '')];
}

/** The first of these options that was typed. */
function given(command: Command, words: readonly string[]): string | undefined {
  const isTyped = (name: string) => command.getOptionValueSource(name) === 'cli';
  return command.options.find((one) => words.includes(one.name()) && isTyped(one.attributeName()))?.long;
}

function known(command: Command, words: readonly string[]): string | undefined {
  for (const word of words) {
    if (command.registeredArguments.some((argument) => argument.name() === word)) return `<${word}>`;
    const option = command.options.find((one) => one.name() === word && !one.hidden);
    if (option?.long !== undefined) return option.long;
  }
  return undefined;
}
