import { readFileSync } from 'node:fs';
import { runCommand } from './run-command.ts';

/** Mount points at or below `folder` in this process's mount namespace, in the order in which they were mounted. */
export function mountsBelow(folder: string): string[] {
  return parseMountPoints(readFileSync('/proc/self/mountinfo', 'utf8')).filter(
    (path) => path === folder || path.startsWith(`${folder}/`),
  );
}

/** Mount points in the text of /proc/self/mountinfo, where blanks and backslashes are octal escapes. */
export function parseMountPoints(mountinfo: string): string[] {
  return mountinfo
    .split('\n')
    .map((line) => line.split(' ')[4])
    .filter((path) => path !== undefined)
    .map((path) => path.replace(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8))));
}

/**
 * Unmounts everything at or below `folder`, the youngest first.
 *
 * **Errors** when something stays mounted: nothing under `folder` may be deleted then.
 */
export async function unmountBelow(folder: string, signal: AbortSignal): Promise<void> {
  for (const path of mountsBelow(folder).toReversed()) {
    await runCommand(['umount', path], {}, signal).catch(() => runCommand(['umount', '--lazy', path], {}, signal));
  }
  const left = mountsBelow(folder);
  if (left.length > 0) throw new Error(`still mounted: ${left.join(', ')}`);
}
