import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import type { SandboxLayout } from './layout.ts';

/** What a sandbox remembers between runs. */
export interface SandboxRecord {
  /** The forwarder's port on the host. */
  readonly port: number;
}

/** The record, or `undefined` where `up` has not come that far (or the file is not readable as one). */
export function readRecord(layout: SandboxLayout): SandboxRecord | undefined {
  try {
    const { port } = JSON.parse(readFileSync(layout.record, 'utf8')) as Partial<SandboxRecord>;
    return typeof port === 'number' ? { port } : undefined;
  } catch {
    return undefined;
  }
}

/** Replaces the record as a whole. */
export function writeRecord(layout: SandboxLayout, record: SandboxRecord): void {
  mkdirSync(dirname(layout.record), { recursive: true });
  writeFileSync(`${layout.record}.new`, `${JSON.stringify(record)}\n`);
  renameSync(`${layout.record}.new`, layout.record);
}
