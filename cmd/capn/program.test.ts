import type { Command } from 'commander';
import { describe, expect, it } from 'vitest';
import { buildProgram } from './program.ts';
import { processTerminal } from './terminal.ts';

const terminal = { ...processTerminal(), note: () => undefined, out: () => undefined };
const build = () => buildProgram({ terminal, signal: AbortSignal.abort() });
const all = (command: Command): readonly Command[] => [command, ...command.commands.flatMap(all)];
const pathOf = (command: Command): string =>
  command.parent === null ? command.name() : `${pathOf(command.parent)} ${command.name()}`;
const commands = all(build()).map((command) => [pathOf(command), command] as const);

describe.each(commands)('%s', (_path, command) => {
  const options = command.createHelp().visibleOptions(command);

  it('takes --debug, which messages advise, and --quiet', () => {
    expect(options.map(({ long }) => long)).toEqual(expect.arrayContaining(['--debug', '--quiet']));
  });

  it('is described in one style: commands with a capital letter, flags and arguments without', () => {
    expect(command.description()).toMatch(/^[A-Z]/);
    const texts = [...options, ...command.registeredArguments].map(({ description }) => description);
    expect(texts.filter((text) => !/^[a-z]/.test(text))).toEqual([]);
  });

  it('says each default once', () => {
    expect(command.helpInformation().replaceAll(/\s+/g, ' ')).not.toMatch(/default: [^)]*\) \(default/);
  });
});

/** What a verb is given of a command line; nothing of it runs. */
async function flagsOf(path: string, args: string): Promise<unknown> {
  const program = build();
  const verb = all(program).find((command) => pathOf(command) === path);
  let flags: unknown;
  verb?.action(() => {
    flags = verb.opts();
  });
  await program.parseAsync(args.split(' '), { from: 'user' });
  return flags;
}

describe('flags before the verb', () => {
  it.each([
    ['capn describe', '-n shop --kubeconfig k -o wide --debug describe team-a'],
    ['capn describe', '-n shop describe --kubeconfig k team-a -o wide --debug'],
    ['capn describe', 'describe team-a -n shop --kubeconfig k -o wide --debug'],
    ['capn describe', '-n other -o json describe team-a -n shop --kubeconfig k -o wide --debug'],
  ])('%s means the same wherever they stand: capn %s', async (path, args) => {
    const given = { namespace: 'shop', kubeconfig: 'k', output: 'wide', debug: true };
    expect(await flagsOf(path, args)).toMatchObject(given);
  });

  it('go through a group of verbs', async () => {
    expect(await flagsOf('capn sandbox status', '-q sandbox --debug status')).toMatchObject({
      quiet: true,
      debug: true,
    });
  });

  it.each([
    ['--kubeconfig k sandbox status', "'sandbox' has no option '--kubeconfig'"],
    ['-o json connect team-a', "'connect' has no option '--output'"],
    ['-o wide kubeconfig team-a', 'Allowed choices are yaml, json'],
  ])('are refused where the verb refuses them: capn %s', async (args, message) => {
    await expect(build().parseAsync(args.split(' '), { from: 'user' })).rejects.toThrow(message);
  });
});
