import { childPath, parseDerivationPath } from '../../domain/derivation-paths';

test('a path is read level by level', () => {
  expect(parseDerivationPath("m/44'/60'/0'/0/7")).toEqual([
    { index: 44, hardened: true },
    { index: 60, hardened: true },
    { index: 0, hardened: true },
    { index: 0, hardened: false },
    { index: 7, hardened: false },
  ]);
  expect(parseDerivationPath(`m/${2 ** 31 - 1}'`)).toEqual([{ index: 2 ** 31 - 1, hardened: true }]);
  expect(parseDerivationPath(childPath(3))).toEqual([{ index: 3, hardened: true }]);
});

test.each([
  '',
  'm',
  'm/',
  '/0',
  '0/1',
  'M/0',
  'm/00',
  'm/01',
  'm/-1',
  'm/1.5',
  "m/0''",
  'm/0h',
  'm//0',
  `m/${2 ** 31}`,
  'm/9999999999',
  ' m/0',
  'm/0\n',
])('a text that is not a path is refused: %j', (text) => {
  expect(parseDerivationPath(text)).toBeUndefined();
});

test('a path has at most ten levels', () => {
  const levels = (count: number) => `m${'/0'.repeat(count)}`;
  expect(parseDerivationPath(levels(10))).toHaveLength(10);
  expect(parseDerivationPath(levels(11))).toBeUndefined();
});
