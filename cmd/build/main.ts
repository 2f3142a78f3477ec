import { copyFile, stat } from 'node:fs/promises';
import { relative, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bundlePrograms, bundles, root, type BundleName } from './bundles.ts';
import { ensureProviderImage } from './provider-image.ts';

/** `npm run build [-- --image OUT.tar]`: bundles every program into dist/, and packs the provider's image. */
async function main(): Promise<void> {
  const { values } = parseArgs({ options: { image: { type: 'string' } } });
  for (const file of await bundlePrograms(Object.keys(bundles) as BundleName[])) await tell(file);
  if (values.image === undefined) return;
  const stop = new AbortController();
  process.once('SIGINT', () => stop.abort());
  const { tag, file, contentHash } = await ensureProviderImage(stop.signal);
  const out = resolve(values.image);
  await copyFile(file, out);
  await tell(out, ` ${tag}, content ${contentHash}`);
}

async function tell(file: string, detail = ''): Promise<void> {
  const { size } = await stat(file);
  console.log(`${relative(root, file)}  ${(size / 1e6).toFixed(1)} MB${detail}`);
}

await main();
