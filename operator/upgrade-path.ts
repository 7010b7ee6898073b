import type { SchemaState } from '../entities/deployment/release.store';
import { UPGRADE_NOTES } from './upgrade-notes';

const VERSION = /^(\d+)\.(\d+)\.(\d+)$/;

/** Below zero where `a` is the older one. */
export function compareVersions(a: string, b: string): number {
  const parts = (text: string): readonly number[] => {
    const [, ...numbers] = VERSION.exec(text) ?? [];
    if (numbers.length === 0) throw new Error(`${text} is no version of the form 1.2.3`);
    return numbers.map(Number);
  };
  const [left, right] = [parts(a), parts(b)];
  return left.map((number, at) => number - (right[at] ?? 0)).find((difference) => difference !== 0) ?? 0;
}

/** The notes of all releases above the one and up to the other, a heading for each; without the first, of all up to the other. */
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

/** From where to where an upgrade went, and what the releases between ask of the operator. Empty where it went nowhere. */
export function pathLines({ changes, release: from }: SchemaState, to: string): string[] {
  if (changes.length === 0) return [`A new database for release ${to}`];
  if (from === to) return [];
  if (from !== null && compareVersions(from, to) > 0)
    return [`From ${from} back to ${to}: no change of the schema lies between them`];
  return [`From ${from ?? 'a release that kept no name'} to ${to}`, ...notesBetween(from, to)];
}
