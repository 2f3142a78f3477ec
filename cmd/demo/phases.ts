import { formatSeconds } from '#sandbox';

/** The parts of the demo, timed. */
export interface Phases {
  /** Prints a heading, runs `work`, and notes how long it took. */
  run<T>(title: string, work: () => Promise<T>): Promise<T>;
  /** The time of each part and of all, in one line. */
  summary(): string;
}

/** @param say prints a line */
export function createPhases(say: (line: string) => void): Phases {
  const done: { readonly title: string; readonly seconds: number }[] = [];
  return {
    run: async (title, work) => {
      const started = performance.now();
      say(`\n${title}`);
      const result = await work();
      done.push({ title, seconds: (performance.now() - started) / 1000 });
      return result;
    },
    summary: () => {
      const total = done.reduce((sum, { seconds }) => sum + seconds, 0);
      return [
        ...done.map(({ title, seconds }) => `${title} ${formatSeconds(seconds)}`),
        `total ${formatSeconds(total)}`,
      ].join(', ');
    },
  };
}
