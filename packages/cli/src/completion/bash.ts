import type { Completable, CompletedCommand } from './model.ts';

/** A completion script for bash, 3.2 or later. */
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
