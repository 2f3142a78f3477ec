import type { Argument, Command, Option } from 'commander';
import { exitCodes } from './exit-codes.ts';

/** The text of docs/reference/cli.md: every command with its arguments and flags, and the exit codes. Pure. */
export function renderCliReference(program: Command): string {
  const commands = visible(program).flatMap((command) => sections(command, program.name()));
  return [
    '# The command line: capn',
    program.description(),
    'Results go to stdout, everything else to stderr. Run as `capn` or, with `kubectl-capn` on the PATH, as `kubectl capn`.',
    'The flags that `capn --help` lists may stand before the verb or behind it; given twice, the one behind it wins.',
    '## Exit codes',
    exitCodeTable(),
    '## Commands',
    ...commands,
  ]
    .join('\n\n')
    .concat('\n');
}

function exitCodeTable(): string {
  const rows = Object.entries(exitCodes).map(([name, { code, meaning }]) => `| ${code} | ${name} | ${meaning} |`);
  return ['| code | name | meaning |', '| --- | --- | --- |', ...rows].join('\n');
}

function visible(command: Command): readonly Command[] {
  return command
    .createHelp()
    .visibleCommands(command)
    .filter(({ _hidden }: Command & { _hidden?: boolean }) => _hidden !== true);
}

function sections(command: Command, parent: string): readonly string[] {
  const path = `${parent} ${command.name()}`;
  const own = [
    `### ${path}`,
    command.description(),
    `\`\`\`text\n${[path, ...command.usage().split(' ')].join(' ')}\n\`\`\``,
    argumentTable(command.registeredArguments),
    optionTable(command.createHelp().visibleOptions(command)),
  ];
  return [...own.filter((text) => text !== ''), ...visible(command).flatMap((below) => sections(below, path))];
}

function argumentTable(given: readonly Argument[]): string {
  return table(
    ['argument', 'meaning'],
    given.map((argument) => [`\`${argument.name()}\``, argument.description]),
  );
}

function optionTable(options: readonly Option[]): string {
  return table(
    ['flag', 'meaning', 'default'],
    options.map((option) => [`\`${option.flags}\``, meaningOf(option), defaultOf(option)]),
  );
}

function meaningOf({ description, argChoices }: Option): string {
  return argChoices === undefined ? description : `${description}: ${argChoices.join(', ')}`;
}

function defaultOf({ defaultValue, defaultValueDescription }: Option): string {
  if (defaultValueDescription !== undefined) return defaultValueDescription;
  return defaultValue === undefined ? '' : `\`${String(defaultValue)}\``;
}

function table(headings: readonly string[], rows: readonly (readonly string[])[]): string {
  if (rows.length === 0) return '';
  const line = (cells: readonly string[]) => `| ${cells.map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`;
  return [line(headings), line(headings.map(() => '---')), ...rows.map(line)].join('\n');
}
