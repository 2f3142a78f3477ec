import { InvalidArgumentError, Option } from 'commander';

const unitMs: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 };

/** Milliseconds of `90s`, `5m`, `1h` or `1h30m`. **Errors** commander's, so that the flag is named. */
export function parseDuration(text: string): number {
  if (!/^(\d+[smh])+$/.test(text)) {
    throw new InvalidArgumentError('use a number with a unit: 90s, 5m, 1h or 1h30m.');
  }
  const parts = [...text.matchAll(/(\d+)([smh])/g)];
  return parts.reduce((sum, [, number = '0', unit = 's']) => sum + Number(number) * (unitMs[unit] ?? 0), 0);
}

/** `--timeout`, in milliseconds; the help shows the default as it would be typed. */
export function timeoutOption(byDefault: string): Option {
  return new Option('--timeout <duration>', 'how long to wait')
    .argParser(parseDuration)
    .default(parseDuration(byDefault), byDefault);
}
