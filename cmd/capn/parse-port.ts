import { InvalidArgumentError, Option } from 'commander';

/** A TCP port. **Errors** commander's, so that the flag is named. */
function parsePort(text: string): number {
  const port = Number(text);
  if (/^\d+$/.test(text) && port >= 1 && port <= 65_535) return port;
  throw new InvalidArgumentError('use a number from 1 to 65535.');
}

/** `--port`; 0 stands for the default, which the help puts into words. */
export function portOption(of: string, byDefault: string): Option {
  return new Option('--port <number>', `port ${of}`).argParser(parsePort).default(0, byDefault);
}
