import type { Command } from 'commander';
import { BATCH_ERRORS } from './batch/results.ts';
import { CLI_ERRORS } from './cli-error.ts';
import { COMMANDS } from './commands/all-commands.ts';
import { allCommands, exitsOf, wordsOf } from './exits.ts';
import { createProgram } from './program.ts';
import { Session } from './session.ts';

/** The generated page of docs/ on the command line, by path; derived from the commands themselves. */
export function commandLineDocs(): ReadonlyMap<string, string> {
  const [, ...commands] = allCommands(describedProgram());
  const documented = commands.filter((command) => exitsOf(wordsOf(command)) !== null);
  const text = [INTRODUCTION, ...documented.map(section), BATCH_SECTION, ERROR_SECTION, ENVIRONMENT].join(
    '\n',
  );
  return new Map([['docs/cli.md', text]]);
}

/** The program with all commands, to be read and not run. */
export function describedProgram(): Command {
  return createProgram(new Session(SILENT), COMMANDS);
}

const INTRODUCTION = `# Command line

Generated from the code by \`npm run docs\`; do not edit.

Every command that prints a result accepts \`--json\`, which writes JSON to standard output instead of text. (\`serve\`
always logs JSON, \`mcp\` speaks its protocol, \`demo\` is for people.) Remarks, progress and errors go to standard error.
Colours are used only on terminals, and not if \`NO_COLOR\` is set. In text from a page, a file or the network, control
characters are escaped. Completion: \`source <(touchstone completion bash)\`, and the same for \`zsh\` and \`fish\`.
`;

const BATCH_SECTION = `## Results of a batch

One JSON object per line, in the order of completion: \`line\` (the line of the address in the list), \`url\`, and either
\`verdict\` with the whole \`report\`, or \`error\` with a \`code\` of this table and a \`message\`. An address that is in the list
twice is checked once. With \`--out\`, each line is written before another page is started in its place, so that an
interrupted run can be continued; pages with \`service_error\`, \`service_contradicts_itself\` or \`network_unavailable\` are then checked again. At a rate
limit of the service (429), the command waits.

| code | means |
|---|---|
${Object.entries(BATCH_ERRORS)
  .map(([code, means]) => `| \`${code}\` | ${means} |`)
  .join('\n')}
`;

const ERROR_SECTION = `## Errors with --json

A command that fails writes \`{"error": {…}}\` to standard output, and the same as text to standard error: \`code\`, for
programs; \`message\`; often \`hint\`, which says what to do. Errors reported by the service also have \`requestId\` (also in
the service's log), \`retryAfter\` in seconds, and in \`errors\` each rejected value, by its option or argument. Errors of the
service keep their codes, and a malformed call has \`validation_failed\`; [codes.md](codes.md) lists those codes, and those of
the offline SDK and of shops that cannot be read. All others:

| code | means |
|---|---|
${Object.entries(CLI_ERRORS)
  .map(([code, means]) => `| \`${code}\` | ${means} |`)
  .join('\n')}
`;

const ENVIRONMENT = `## Environment

| variable | option or effect |
|---|---|
| \`TOUCHSTONE_SERVICE\` | \`--service\` |
| \`TOUCHSTONE_KEY\` | \`--key\` |
| \`TOUCHSTONE_ISSUER\` | \`--issuer\`; several are separated by commas |
| \`TOUCHSTONE_FETCH_CONNECT_TO\`, \`TOUCHSTONE_FETCH_CA_FILE\` | \`--connect-to\`, \`--ca-file\` |
| \`NO_COLOR\` | no colours, if it is not empty |
| \`TOUCHSTONE_DEBUG\` | unexpected errors are printed with their stack |
`;

function section(command: Command): string {
  const help = command.createHelp();
  const usage = help.commandUsage(command);
  const rows: readonly (readonly [string, string])[] = [
    ...help
      .visibleArguments(command)
      .map((one) => [help.argumentTerm(one), help.argumentDescription(one)] as const),
    ...help
      .visibleOptions(command)
      .map((one) => [help.optionTerm(one), help.optionDescription(one)] as const),
  ].filter(([term]) => !term.includes('--help'));
  const exits = exitsOf(wordsOf(command)) ?? [];
  return [
    `## touchstone ${wordsOf(command).join(' ')}\n`,
    `${command.description()}\n`,
    `\`\`\`\n${usage}\n\`\`\`\n`,
    ...(rows.length === 0 ? [] : [`${table(['', ''], rows)}\n`]),
    `${table(
      ['exit code', 'means'],
      exits.map(([code, means]) => [String(code), means]),
    )}\n`,
  ].join('\n');
}

function table(head: readonly [string, string], rows: readonly (readonly [string, string])[]): string {
  const line = ([term, means]: readonly [string, string]) => `| ${term} | ${means.replaceAll('|', '\\|')} |`;
  return [line(head), '|---|---|', ...rows.map(([term, means]) => line([`\`${term}\``, means]))].join('\n');
}

const nothing = { write: () => {}, replaceLine: () => {}, isTerminal: false, columns: 80 };

/** Inputs and outputs that do nothing: the commands are only described. */
const SILENT: ConstructorParameters<typeof Session>[0] = {
  stdout: nothing,
  stderr: nothing,
  stdin: (async function* () {})(),
  env: {},
  fetch: () => Promise.reject(new Error('The commands are only described here.')),
  now: () => new Date(0),
  sleep: () => Promise.resolve(),
  readFile: async function* () {},
  appendTo: () => Promise.reject(new Error('The commands are only described here.')),
  writeFile: () => Promise.reject(new Error('The commands are only described here.')),
  replaceFile: () => Promise.reject(new Error('The commands are only described here.')),
  isSameFile: () => Promise.reject(new Error('The commands are only described here.')),
  removeFile: () => Promise.reject(new Error('The commands are only described here.')),
  namesIn: () => Promise.reject(new Error('The commands are only described here.')),
  foldersBelow: async function* () {},
  stop: new AbortController().signal,
  atFault: () => () => {},
};
