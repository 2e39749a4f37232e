import { type CompletedCommand, flattened } from './model.ts';

/** A completion script for fish: a file `touchstone.fish` in its completions folder, or sourced. */
export function fishCompletion(name: string, program: CompletedCommand): string {
  const lines = flattened(program).flatMap((command) => linesOf(name, command));
  return `# ${name} completion for fish: ~/.config/fish/completions/${name}.fish, or source it
# where the command line stands: the words that are commands, one after the other
function __${name}_at
    set -l at
    for word in (commandline -opc)[2..]
        contains -- "$at $word" ${flattened(program)
          .filter(({ words }) => words.length > 0)
          .map(({ words }) => quoted(`${words.slice(0, -1).join(' ')} ${words.at(-1)}`))
          .join(' ')}
        and set at (string trim -- "$at $word")
    end
    test "$at" = "$argv"
end
complete -c ${name} -f
${lines.join('\n')}
`;
}

function linesOf(name: string, { words, options, subcommands, argument }: CompletedCommand): string[] {
  const here = `complete -c ${name} -n ${quoted(`__${name}_at ${words.join(' ')}`.trim())}`;
  return [
    ...subcommands.map((one) => `${here} -a ${one.words.at(-1)} -d ${quoted(one.description)}`),
    ...options.map(({ flags, description, value }) => {
      const names = flags.map((flag) =>
        flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
      );
      const follows =
        value === undefined
          ? ''
          : value === 'file'
            ? ' -r -F'
            : value === 'text'
              ? ' -x'
              : ` -x -a ${quoted(value.join(' '))}`;
      return `${here} ${names.join(' ')}${follows} -d ${quoted(description)}`;
    }),
    ...(argument === 'file'
      ? [`${here} -F`]
      : argument === 'text'
        ? []
        : [`${here} -a ${quoted(argument.join(' '))}`]),
  ];
}

function quoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
