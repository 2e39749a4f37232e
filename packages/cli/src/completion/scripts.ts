import type { Completable, CompletedCommand, CompletedOption } from './model.ts';

// Not a library: those (omelette, @bomb.sh/tab) start the program at each Tab, a third of a second with Node. These scripts contain all
// words, and leave file names to the shell.

/** Generates a completion script for bash, 3.2 or later. */
export function bashCompletion(name: string, commands: readonly CompletedCommand[]): string {
  const steps = commands
    .filter(({ words }) => words.length > 0)
    .map(
      ({ words }) => `      '${words.slice(0, -1).join(' ')} ${words.at(-1)}') at='${words.join(' ')}' ;;`,
    );
  return `# ${name} completion for bash: source it, for example from ~/.bashrc
_${name}_reply() {
  # line by line, so that names of files with blanks stay whole; bash 3.2 has no mapfile
  while IFS= read -r i; do COMPREPLY+=("$i"); done < <(compgen "$@" -- "$cur")
}
_${name}() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD - 1]} at='' i
  COMPREPLY=()
  # bash takes the "=" of --option=value for a word of its own
  if [[ $cur == = ]]; then cur=''; elif [[ $prev == = ]]; then prev=\${COMP_WORDS[COMP_CWORD - 2]}; fi
  for ((i = 1; i < COMP_CWORD; i++)); do
    case "$at \${COMP_WORDS[i]}" in
${steps.join('\n')}
    esac
  done
  case "$at" in
${commands.map((command) => caseOf(command, `_${name}_reply`)).join('\n')}
  esac
}
complete -o filenames -F _${name} ${name}
`;
}

function caseOf({ words, options, subcommands, argument }: CompletedCommand, reply: string): string {
  const values = options.flatMap(({ flags, value }) =>
    value === undefined ? [] : [`        ${flags.join('|')}) ${replyWith(reply, value)}; return ;;`],
  );
  const flags = options.flatMap((option) => option.flags);
  const names = subcommands.map((one) => one.name);
  return `    '${words.join(' ')}')
      case "$prev" in
${values.join('\n')}
      esac
      if [[ $cur == -* ]]; then ${replyWith(reply, flags)}
      else ${replyWith(reply, names.length === 0 ? argument : names)}
      fi ;;`;
}

function replyWith(reply: string, value: Completable): string {
  if (value === 'text') return ':';
  return value === 'file' ? `${reply} -f` : `${reply} -W '${value.join(' ')}'`;
}

/** Generates a completion script for zsh, to be stored as `_touchstone` on its fpath, or sourced after compinit. */
export function zshCompletion(name: string, commands: readonly CompletedCommand[]): string {
  return `#compdef ${name}
# ${name} completion for zsh: a file _${name} on the fpath, or source it after compinit
${commands.map((command) => commandFunction(name, command)).join('\n')}
if [[ $funcstack[1] == _${name} ]]; then _${name} "$@"; else compdef _${name} ${name}; fi
`;
}

function commandFunction(name: string, { words, options, subcommands, argument }: CompletedCommand): string {
  const own = ['', name, ...words].join('_');
  const specs = options.map(optionSpec);
  if (subcommands.length === 0) {
    return `${own}() {
  _arguments ${[...specs, ...positional(argument)].join(' \\\n    ')}
}`;
  }
  const described = subcommands.map((one) => shellQuoted(`${one.name}:${one.description}`)).join(' ');
  return `${own}() {
  local line state
  _arguments -C ${[...specs, "'1:command:->command'", "'*::argument:->argument'"].join(' \\\n    ')}
  case $state in
    command) local -a commands=(${described}); _describe command commands ;;
    argument) (( $+functions[${own}_$line[1]] )) && ${own}_$line[1] ;;
  esac
}`;
}

function optionSpec({ flags, description, value }: CompletedOption): string {
  const shown = `[${description.replace(/[[\]\\:]/g, '\\$&')}]`;
  const follows = value === undefined ? '' : `:value:${action(value)}`;
  const [flag] = flags;
  return flags.length === 1
    ? shellQuoted(`*${flag}${shown}${follows}`)
    : `{${flags.map((one) => shellQuoted(`*${one}`)).join(',')}}${shellQuoted(shown + follows)}`;
}

function positional(argument: Completable): string[] {
  return argument === 'text' ? [] : [shellQuoted(`*:argument:${action(argument)}`)];
}

function action(value: Completable): string {
  if (value === 'file') return '_files';
  return value === 'text' ? ' ' : `(${value.join(' ')})`;
}

function shellQuoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}

/** Generates a completion script for fish, to be stored as `touchstone.fish` in its completions folder, or sourced. */
export function fishCompletion(name: string, commands: readonly CompletedCommand[]): string {
  const lines = commands.flatMap((command) => linesOf(name, command));
  return `# ${name} completion for fish: ~/.config/fish/completions/${name}.fish, or source it
# where the command line stands: the words that are commands, one after the other
function __${name}_at
    set -l at
    for word in (commandline -opc)[2..]
        contains -- "$at $word" ${commands
          .filter(({ words }) => words.length > 0)
          .map(({ words }) => fishQuoted(`${words.slice(0, -1).join(' ')} ${words.at(-1)}`))
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
  const here = `complete -c ${name} -n ${fishQuoted(`__${name}_at ${words.join(' ')}`.trim())}`;
  return [
    ...subcommands.map((one) => `${here} -a ${one.name} -d ${fishQuoted(one.description)}`),
    ...options.map(({ flags, description, value }) => {
      const names = flags.map((flag) =>
        flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`,
      );
      return `${here} ${names.join(' ')}${value === undefined ? '' : following(value)} -d ${fishQuoted(description)}`;
    }),
    ...(argument === 'text' ? [] : [here + valueText(argument)]),
  ];
}

/** Completion of an option's value. */
function following(value: Completable): string {
  return value === 'file' ? ' -r -F' : ` -x${valueText(value)}`;
}

function valueText(value: Completable): string {
  if (value === 'text') return '';
  return value === 'file' ? ' -F' : ` -a ${fishQuoted(value.join(' '))}`;
}

function fishQuoted(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
}
