import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { UPGRADE_NOTES } from '../../operator/upgrade-notes';
import { compareVersions, notesBetween, pathLines } from '../../operator/upgrade-path';
import { releaseVersion } from '../../platform/release';

const NOTES = { '0.9.0': ['old'], '0.10.0': ['b', 'c'], '0.10.1': [], '1.0.0': ['d'] };

test('versions are compared number by number', () => {
  expect(['1.0.0', '0.10.0', '0.9.0', '0.9.10', '0.9.9'].sort(compareVersions)).toEqual([
    '0.9.0',
    '0.9.9',
    '0.9.10',
    '0.10.0',
    '1.0.0',
  ]);
  expect(compareVersions('1.2.3', '1.2.3')).toBe(0);
  expect(() => compareVersions('1.2', '1.2.3')).toThrow('1.2 is not a version');
});

test('the notes are those of all releases after the first version, up to and including the second', () => {
  expect(notesBetween('0.9.0', '0.10.1', NOTES)).toEqual(['Notes of release 0.10.0:', '  b', '  c']);
  expect(notesBetween('0.10.0', '0.10.1', NOTES)).toEqual([]);
  expect(notesBetween('0.9.5', '1.0.0', NOTES)).toEqual([
    'Notes of release 0.10.0:',
    '  b',
    '  c',
    'Notes of release 1.0.0:',
    '  d',
  ]);
  expect(notesBetween(null, '0.10.0', NOTES)).toEqual([
    'Notes of release 0.9.0:',
    '  old',
    'Notes of release 0.10.0:',
    '  b',
    '  c',
  ]);
});

test('a new database gets no notes', () => {
  expect(pathLines({ changes: [], release: null }, releaseVersion())).toEqual([`A new database for release ${releaseVersion()}`]);
});

test('the changelog and the notes have the same releases, and the last one is this release', () => {
  const changelog = readFileSync(join(__dirname, '..', '..', 'CHANGELOG.md'), 'utf8');
  const released = [...changelog.matchAll(/^## (\S+)/gm)].map(([, version = '']) => version);
  expect(Object.keys(UPGRADE_NOTES).sort(compareVersions)).toEqual(released.sort(compareVersions));
  expect(released.at(-1)).toBe(releaseVersion());
});
