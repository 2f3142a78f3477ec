import { expect, test } from 'vitest';
import { allPrograms, type Program } from './binaries.ts';
import { leafCertificates } from './certificates.ts';
import { componentCommands, componentNames, kubeconfigUsers } from './components.ts';
import { layoutOf } from './layout.ts';

const layout = layoutOf('one', { CAPN_STATE_DIR: '/s' });
const paths = Object.fromEntries(allPrograms.map((name) => [name, `/bin/${name}`])) as Record<Program, string>;

test('every component has a command, and no two sandboxes share a file', () => {
  const commands = componentCommands(layout, paths);
  const other = componentCommands(layoutOf('two', { CAPN_STATE_DIR: '/s' }), paths);
  expect(Object.keys(commands).toSorted()).toEqual([...componentNames].toSorted());
  const files = (of: typeof commands): string[] =>
    Object.values(of)
      .flat()
      .flatMap((argument) => argument.match(/\/s\/\S+/g) ?? []);
  expect(files(commands).length).toBeGreaterThan(20);
  expect(files(commands).filter((file) => files(other).includes(file))).toEqual([]);
});

test('certificates that commands and kubeconfigs name are made', () => {
  const named = Object.values(componentCommands(layout, paths))
    .flat()
    .flatMap((argument) => /\/certificates\/(.+)\.(?:crt|key|pub)$/.exec(argument)?.[1] ?? []);
  const made = [...Object.keys(leafCertificates('node')), 'ca', 'front-proxy-ca', 'service-account'];
  expect([...named, ...kubeconfigUsers].filter((name) => !made.includes(name))).toEqual([]);
});
