/** Objects are 1.5 MB at most in etcd and 3 MB in a request; a server gone mad does not fill our memory. */
const longestLine = 16 * 1024 * 1024;

/**
 * Splits bytes into lines at 0x0A and nowhere else; empty lines are left out. Reads only as fast as lines are taken.
 * **Errors** when the bytes end within a line, or a line is longer than 16 MiB.
 */
export async function* linesOf(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<string, void, undefined> {
  let pending: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of chunks) {
    let start = 0;
    for (let end = chunk.indexOf(0x0a); end >= 0; end = chunk.indexOf(0x0a, start)) {
      const line = decode([...pending, chunk.subarray(start, end)]);
      pending = [];
      length = 0;
      start = end + 1;
      if (line !== '') yield line;
    }
    if (start < chunk.length) length += pending.push(chunk.subarray(start)) && chunk.length - start;
    if (length > longestLine) throw new Error(`a line is longer than ${longestLine} bytes`);
  }
  if (length > 0) throw new Error(`the stream ended within a line, after ${length} bytes of it`);
}

function decode(pieces: readonly Uint8Array[]): string {
  return Buffer.concat(pieces).toString('utf8').trim();
}
