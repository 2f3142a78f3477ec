/** How far a series of builds is, by the table's weights and the pace seen so far. */
export class Estimate {
  readonly #total: number;
  readonly #clock: () => number;
  readonly #started: number;
  #done = 0;
  #doneAt: number;

  /** `totalSeconds` is the sum of the weights; `clock` gives milliseconds. */
  constructor(totalSeconds: number, clock: () => number = () => performance.now()) {
    this.#total = totalSeconds;
    this.#clock = clock;
    this.#started = clock();
    this.#doneAt = this.#started;
  }

  /** A program of that weight is ready. */
  finished(weight: number): void {
    this.#done += weight;
    this.#doneAt = this.#clock();
  }

  /** Fraction and remaining seconds. Never says that all is done, nor that nothing is left. */
  now(): { readonly fraction: number; readonly etaSeconds: number } {
    const pace = this.#done === 0 ? 1 : Math.max((this.#doneAt - this.#started) / 1000 / this.#done, 0.05);
    const inCurrent = (this.#clock() - this.#doneAt) / 1000 / pace;
    const done = Math.min(this.#done + inCurrent, this.#total * 0.99);
    return { fraction: done / this.#total, etaSeconds: Math.max((this.#total - done) * pace, 1) };
  }
}
