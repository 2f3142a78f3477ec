import type { ClusterConfig } from './cluster-config.ts';

const refreshAfterMs = 60_000;

/** The credentials in use, and how newer ones get in. */
export interface Credentials {
  /** Those to use now. Starts a reload in the background when they were read over a minute ago. */
  current(): ClusterConfig;
  /**
   * Reads them again because `refused` did not work. Says whether others are in use now, so that another try makes
   * sense. A reload that fails counts as no change: the refusal is what the caller reports.
   */
  renew(refused: ClusterConfig): Promise<boolean>;
}

/** Keeps the credentials of one cluster current, by `config.reload`. Reloads never overlap. */
export function createCredentials(initial: ClusterConfig): Credentials {
  let config = initial;
  let readAtMs = performance.now();
  let reloading: Promise<void> | undefined;

  const readAgain = async (): Promise<void> => {
    const { reload } = config;
    try {
      const next = await reload?.();
      if (reload === undefined || next === undefined || isSame(next, config)) return;
      // A result without `reload` of its own does not end the reloading.
      config = { reload, ...next };
    } catch {
      // The old ones may still do; if not, the server's refusal says so.
    } finally {
      readAtMs = performance.now();
      reloading = undefined;
    }
  };
  return {
    current() {
      if (config.reload !== undefined && performance.now() - readAtMs > refreshAfterMs) reloading ??= readAgain();
      return config;
    },
    async renew(refused) {
      if (config === refused && config.reload !== undefined) await (reloading ??= readAgain());
      return config !== refused;
    },
  };
}

function isSame(a: ClusterConfig, b: ClusterConfig): boolean {
  return JSON.stringify(sorted(a)) === JSON.stringify(sorted(b));
}

function sorted({ reload: _reload, ...data }: ClusterConfig): readonly unknown[] {
  return Object.entries(data).sort(([a], [b]) => (a < b ? -1 : 1));
}
