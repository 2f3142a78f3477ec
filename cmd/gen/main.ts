import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { conditionReasons, conditionTypes, namespacedPermissions, permissions } from '#controlplane';
import { faults } from '../../test/faults.ts';
import { crdFiles } from './crds.ts';
import { faultProblems, readTestFiles, type TestFile } from './fault-tests.ts';
import type { GeneratedFile } from './generated-file.ts';
import { compareFiles, type GeneratedFolder, writeFiles } from './generated-folder.ts';
import { apiPage } from './pages/api.ts';
import { cliPage } from './pages/cli.ts';
import { conditionsPage } from './pages/conditions.ts';
import { faultsPage } from './pages/faults.ts';
import { rbacPage } from './pages/rbac.ts';
import { argumentsPage, errorsPage, metricsPage, versionsPage } from './pages/tables.ts';
import { rbacFiles } from './rbac.ts';
import { report } from './report.ts';

const root = fileURLToPath(new URL('../..', import.meta.url));

const folders: readonly GeneratedFolder[] = [
  { path: 'crds', holds: 'generated' },
  { path: 'config/rbac', holds: 'generated' },
  { path: 'docs/reference', holds: 'mixed' },
];

function allFiles(tests: readonly TestFile[]): readonly GeneratedFile[] {
  const manager = { everywhere: permissions, ownNamespace: namespacedPermissions };
  return [
    ...crdFiles(),
    ...rbacFiles(manager),
    apiPage(),
    argumentsPage(),
    cliPage(),
    conditionsPage({ types: conditionTypes, reasons: conditionReasons }),
    errorsPage(),
    faultsPage(faults, tests),
    metricsPage(),
    rbacPage(manager),
    versionsPage(),
  ];
}

/** Writes everything that comes from code, or with `--check` says what is not as the code has it. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { check: { type: 'boolean', default: false } } });
  const tests = await readTestFiles(root);
  const files = allFiles(tests);
  const differences = await (values.check ? compareFiles : writeFiles)(root, folders, files);
  const { lines, exitCode } = report({ differences, isCheck: values.check, problems: faultProblems(faults, tests) });
  for (const line of lines) console.log(line);
  process.exitCode = exitCode;
}

await main();
