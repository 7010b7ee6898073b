import { mkdtempSync, rmSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { z } from 'zod';
import { FLEET_INPUT_BYTES_MAX, FLEET_OUTPUT_BYTES_MAX } from '../../../domain/fleets';
import { ARCHIVE_CHARS_MAX, isBounded } from '../../../offline-signer/archives/bounds';
import { archiveIn } from '../../../offline-signer/archives/read-archive';
import { textIn } from '../../../offline-signer/commands';

const listOf = (count: number): string => `[${'0,'.repeat(count - 1)}0]`;
const nested = (depth: number): string => '['.repeat(depth) + ']'.repeat(depth);
const ofLength = (length: number): string => `"${'a'.repeat(length - 2)}"`;

describe('a text that would fill the memory is refused before it is parsed', () => {
  test.each([
    ['by its length', ofLength(ARCHIVE_CHARS_MAX), ofLength(ARCHIVE_CHARS_MAX + 1)],
    ['by its depth', nested(32), nested(33)],
    ['by the number of its values', listOf(100_000), listOf(100_001)],
    ['by values of objects', `[${'{},'.repeat(49_999)}0]`, `[${'{},'.repeat(50_001)}0]`],
  ])('%s', (_name, largest, larger) => {
    expect(isBounded(largest)).toBe(true);
    expect(isBounded(larger)).toBe(false);
    expect(() => archiveIn(larger, z.unknown(), 'a card')).toThrow('not a card: it is too long, too deep or has too many values');
  });

  test('but not for marks within strings', () => {
    expect(isBounded(JSON.stringify([`${'[,{'.repeat(60_000)}"`, '\\', '"']))).toBe(true);
    expect(isBounded(`["${'\\'.repeat(3)}`)).toBe(true);
    expect(isBounded(`["a\\\\",${nested(40)}]`)).toBe(false);
  });

  test('and an input or output of the largest size is not', () => {
    expect(ARCHIVE_CHARS_MAX).toBeGreaterThan(Math.max(FLEET_INPUT_BYTES_MAX, FLEET_OUTPUT_BYTES_MAX) + 1_024);
  });
});

describe('a path on a medium', () => {
  let folder: string;
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'strongroom-medium-'));
  });
  afterEach(() => rmSync(folder, { recursive: true }));

  test('is read only if it is a file', () => {
    const [file, link, endless] = ['input.json', 'link.json', 'endless.json'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    writeFileSync(file, '{}');
    symlinkSync(file, link);
    symlinkSync('/dev/zero', endless);
    expect([textIn(file), textIn(link)]).toEqual(['{}', '{}']);
    for (const path of [endless, folder]) expect(() => textIn(path)).toThrow('is not a file');
    expect(() => textIn(join(folder, 'none.json'))).toThrow('cannot be read');
  });

  test('with 512 MiB is refused unread', () => {
    const file = join(folder, 'input.json');
    writeFileSync(file, '');
    truncateSync(file, 512 * 2 ** 20);
    expect(() => textIn(file)).toThrow('longer than any archive');
    truncateSync(file, ARCHIVE_CHARS_MAX);
    expect(textIn(file)).toHaveLength(ARCHIVE_CHARS_MAX);
  });
});
