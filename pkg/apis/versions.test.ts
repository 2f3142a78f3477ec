import { describe, expect, it } from 'vitest';
import {
  compareVersions,
  parseVersion,
  rowFor,
  supportedVersionsText,
  versionPattern,
  versionRows,
} from './versions.ts';

describe('parseVersion', () => {
  it.each(['v1.36.3', '1.36.3'])('takes %s apart', (text) => {
    expect(parseVersion(text)).toEqual({ major: 1, minor: 36, patch: 3 });
  });

  it.each(['latest', '1.36', 'v1.36', 'v1.36.3-rc.1', 'v1.36.3+k3s1', '', ' v1.36.3', 'v1.36.3\n'])(
    'does not know %j',
    (text) => {
      expect(parseVersion(text)).toBeUndefined();
    },
  );
});

it('orders versions by number, not by letter', () => {
  const texts = ['v1.9.0', 'v1.36.10', 'v1.36.9', 'v1.10.0'];
  const parsed = texts.map(parseVersion).filter((version) => version !== undefined);
  const ordered = parsed.sort(compareVersions).map(({ minor, patch }) => `v1.${minor}.${patch}`);
  expect(ordered).toEqual(['v1.9.0', 'v1.10.0', 'v1.36.9', 'v1.36.10']);
});

describe('the table of versions', () => {
  it('is sorted, without doubles', () => {
    const minors = versionRows.map(({ minor }) => minor);
    expect(minors).toEqual([...new Set(minors)].sort((a, b) => a - b));
  });

  it.each(versionRows)('tests a version of its own minor: $tested', ({ minor, tested }) => {
    expect(rowFor(tested)?.minor).toBe(minor);
    expect(tested).toMatch(new RegExp(versionPattern));
    expect(supportedVersionsText()).toContain(`v1.${minor}.x`);
  });

  it.each(['v1.30.0', 'v2.36.0', 'latest'])('has no row for %s', (version) => {
    expect(rowFor(version)).toBeUndefined();
  });
});
