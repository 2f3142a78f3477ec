import type { V1Volume, V1VolumeMount } from '@kubernetes/client-node';
import type { Raw } from '#kube';

/** Readable for owner and group. The files belong to root and to the pod's group, which the program runs in. */
const readOnlyMode = 0o440;

/** Files of one Secret: its keys, and the folder and file name that each appears under. */
export interface SecretFiles {
  readonly secretName: string;
  /** Key of the Secret → path below the volume. Keys that are not named stay out of the pod. */
  readonly files: Readonly<Record<string, string>>;
}

/** A key pair (`tls.crt`, `tls.key`), and the authority it belongs to where asked, in a folder of its own. */
export function keyPairFiles(secretName: string, folder: string, withAuthority = false): SecretFiles {
  const pair = { 'tls.crt': `${folder}/tls.crt`, 'tls.key': `${folder}/tls.key` };
  return { secretName, files: withAuthority ? { ...pair, 'ca.crt': `${folder}/ca.crt` } : pair };
}

/** The certificate of an authority without its key: a pod that only verifies never sees the key. */
export function authorityFile(secretName: string, folder: string): SecretFiles {
  return { secretName, files: { 'tls.crt': `${folder}/ca.crt` } };
}

/** One volume that holds files of several Secrets, all replaced together when one of them changes. */
export function secretVolume(name: string, secrets: readonly SecretFiles[]): Raw<V1Volume> {
  const sources = secrets.map(({ secretName, files }) => ({
    secret: { name: secretName, items: Object.entries(files).map(([key, path]) => ({ key, path })) },
  }));
  return { name, projected: { defaultMode: readOnlyMode, sources } };
}

/** Mounts a volume that is only read. */
export function readOnlyMount(name: string, mountPath: string): Raw<V1VolumeMount> {
  return { name, mountPath, readOnly: true };
}
