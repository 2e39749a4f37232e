import type { Completable, CompletedCommand, CompletedOption } from './model.ts';

/** A completion script for zsh: as a file `_touchstone` on its fpath, or sourced after compinit. */
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
  const described = subcommands.map((one) => quoted(`${one.name}:${one.description}`)).join(' ');
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
  const told = `[${description.replace(/[[\]\\:]/g, '\\$&')}]`;
  const follows = value === undefined ? '' : `:value:${action(value)}`;
  const [flag] = flags;
  return flags.length === 1
    ? quoted(`*${flag}${told}${follows}`)
    : `{${flags.map((one) => quoted(`*${one}`)).join(',')}}${quoted(told + follows)}`;
}

function positional(argument: Completable): string[] {
  return argument === 'text' ? [] : [quoted(`*:argument:${action(argument)}`)];
}

function action(value: Completable): string {
  if (value === 'file') return '_files';
  return value === 'text' ? ' ' : `(${value.join(' ')})`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`;
}
