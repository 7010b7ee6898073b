import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

const LIBRARY = join(__dirname, '../../../signer/native/libsecp256k1');

const sums = new Map(
  readFileSync(join(LIBRARY, 'SHA256SUMS'), 'utf8')
    .trim()
    .split('\n')
    .map((line): [string, string] => [line.slice(66), line.slice(0, 64)]),
);
const sumOf = (path: string) => createHash('sha256').update(readFileSync(path)).digest('hex');
const files = readdirSync(LIBRARY, { recursive: true, encoding: 'utf8' }).filter(
  (name) => name !== 'SHA256SUMS' && statSync(join(LIBRARY, name)).isFile(),
);

test('the library in the tree is the one that its list of checksums names, no file more and none less', () => {
  expect(Object.fromEntries(files.map((name) => [name, sumOf(join(LIBRARY, name))]))).toEqual(Object.fromEntries(sums));
});

// The list itself is pinned here: who changes the library changes a line that a reviewer reads.
test('the list of checksums is that of release 0.8.0', () => {
  expect(sumOf(join(LIBRARY, 'SHA256SUMS'))).toBe('bd9e48ebebed0581b99351b7c5083825694db27879c1fa76ecc337bb68468a63');
  expect(sums.has('COPYING')).toBe(true);
});

test('no other library counts with keys: neither elliptic nor the package secp256k1 is installed', () => {
  const lock: unknown = JSON.parse(readFileSync(join(__dirname, '../../../package-lock.json'), 'utf8'));
  const packages = typeof lock === 'object' && lock !== null && 'packages' in lock ? Object.keys(Object(lock.packages)) : [];
  expect(packages).toContain('node_modules/@noble/curves');
  expect(packages.filter((path) => /node_modules\/(elliptic|secp256k1|tiny-secp256k1)$/.test(path))).toEqual([]);
});
