import type { SchemaState } from '../entities/deployment/release.store';
import { UPGRADE_NOTES } from './upgrade-notes';

const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

/** Negative if `a` is older than `b`, positive if `a` is newer. */
export function compareVersions(a: string, b: string): number {
  const parts = (text: string): readonly number[] => {
    const [, ...numbers] = VERSION.exec(text) ?? [];
    if (numbers.length === 0) throw new Error(`${text} is not a version of the form 1.2.3`);
    return numbers.map(Number);
  };
  const [left, right] = [parts(a), parts(b)];
  return left.map((number, at) => number - (right[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/** The notes of all releases after `from`, up to and including `to`. Without `from`, the notes of all releases up to `to`. */
export function notesBetween(
  from: string | null,
  to: string,
  notes: Readonly<Record<string, readonly string[]>> = UPGRADE_NOTES,
): string[] {
  return Object.keys(notes)
    .sort(compareVersions)
    .filter((version) => (from === null || compareVersions(version, from) > 0) && compareVersions(version, to) <= 0)
    .flatMap((version) => {
      const lines = notes[version] ?? [];
      return lines.length === 0 ? [] : [`Notes of release ${version}:`, ...lines.map((line) => `  ${line}`)];
    });
}

/** The lines that describe the upgrade to release `to`. Empty if an existing database already has this release. */
export function pathLines({ changes, release: from }: SchemaState, to: string): string[] {
  if (changes.length === 0) return [`A new database for release ${to}`];
  if (from === to) return [];
  if (from !== null && compareVersions(from, to) > 0) return [`From ${from} back to ${to}, which have the same schema`];
  return [`From ${from ?? 'an unnamed release'} to ${to}`, ...notesBetween(from, to)];
}
