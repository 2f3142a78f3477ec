import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';

const root = new URL('..', import.meta.url).pathname;
const read = (path: string) => readFileSync(join(root, path), 'utf8');

function markdownFiles(folder: string): string[] {
  return readdirSync(join(root, folder)).flatMap((name) => {
    const path = join(folder, name);
    if (statSync(join(root, path)).isDirectory()) return markdownFiles(path);
    return path.endsWith('.md') ? [path] : [];
  });
}

const pages = ['README.md', ...markdownFiles('docs')];

describe.each(pages)('%s', (page) => {
  const text = read(page);

  it('has no dead link', () => {
    const prose = text.replaceAll(/`[^`]*`/g, '');
    const links = [...prose.matchAll(/\]\(([^)#]+)(?:#[^)]*)?\)/g)].map((match) => match[1] ?? '');
    const dead = links.filter((link) => !link.startsWith('https://') && !existsSync(join(root, dirname(page), link)));
    expect(dead).toEqual([]);
  });

  it('names npm scripts that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...text.matchAll(/npm run ([a-z][a-z0-9:-]*)/g)].map((match) => match[1] ?? '');
    expect(named.filter((name) => scripts[name] === undefined)).toEqual([]);
  });

  it('names files of the tree that exist', () => {
    const named = [...text.matchAll(/`((?:pkg|cmd|config|crds|docs|test)\/[A-Za-z0-9_./-]+)`/g)].map(
      (match) => match[1] ?? '',
    );
    expect(named.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});

it('the README maps every room and every program', () => {
  const readme = read('README.md');
  for (const folder of ['pkg', 'cmd']) {
    for (const room of readdirSync(join(root, folder))) expect(readme).toContain(`\`${folder}/${room}\``);
  }
});
