import { type GeneratedFile, yamlFile } from './generated-file.ts';

/** `<folder>/kustomization.yaml`, so that other kustomizations can take the folder: files above a root are refused. */
export function kustomization(folder: string, source: string, files: readonly GeneratedFile[]): GeneratedFile {
  return yamlFile(`${folder}/kustomization.yaml`, source, [
    {
      apiVersion: 'kustomize.config.k8s.io/v1beta1',
      kind: 'Kustomization',
      resources: files.map(({ path }) => path.slice(folder.length + 1)),
    },
  ]);
}
