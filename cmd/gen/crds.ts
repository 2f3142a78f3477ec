import { customResourceDefinitionName, kindDefinitions, renderCustomResourceDefinition } from '#apis';
import { type GeneratedFile, yamlFile } from './generated-file.ts';
import { kustomization } from './kustomization.ts';

/** `crds/`: one file a kind, named as its CustomResourceDefinition, and a kustomization that takes them all. */
export function crdFiles(): readonly GeneratedFile[] {
  const files = kindDefinitions.map((definition) =>
    yamlFile(`crds/${customResourceDefinitionName(definition)}.yaml`, 'pkg/apis', [
      renderCustomResourceDefinition(definition),
    ]),
  );
  return [...files, kustomization('crds', 'pkg/apis/kind-definitions.ts', files)];
}
