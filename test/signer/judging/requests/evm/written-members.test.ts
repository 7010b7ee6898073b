import {
  addressWritten,
  bytesWritten,
  quantityWritten,
  wordWritten,
} from '../../../../../signer/judging/requests/evm/written-members';
import { refusedAs } from '../../../fixtures';

const CHECKED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const digits = CHECKED.slice(2);
const refusal = refusedAs('RequestMismatch');

test.each([CHECKED, CHECKED.toLowerCase(), `0x${digits.toUpperCase()}`, `xdc${digits}`])(
  '%s is an address, and is read as its checksummed form',
  (text) => {
    expect(addressWritten(text, 'xdc')).toBe(CHECKED);
  },
);

test.each([
  ['a wrong letter case', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'],
  ['a wrong digit', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAec'],
  ['a digit too few', CHECKED.slice(0, -1)],
  ['a digit too many', `${CHECKED}0`],
  ['a letter that is not a digit', `0x${'g'.repeat(40)}`],
  ['a different prefix', `0X${digits}`],
  ['no prefix', digits.toLowerCase()],
  ['no digits', ''],
])('an address with %s is refused', (_name, text) => {
  expect(() => addressWritten(text, 'xdc')).toThrow(refusal);
});

test.each([
  ['007', 7n],
  ['0x', 0n],
  ['0X', 0n],
  ['0x1F', 31n],
  [5, 5n],
  ['9'.repeat(78), BigInt('9'.repeat(78))],
  [`0x${'f'.repeat(64)}`, 2n ** 256n - 1n],
] as const)('%s is the quantity %s', (text, quantity) => {
  expect(quantityWritten(text)).toBe(quantity);
});

test.each(['', ' ', ' 5', '-1', '1.5', '1e3', '5n', '0b1', '0o7', 'f', '9'.repeat(79), `0x${'f'.repeat(65)}`])(
  "'%s' is not a quantity",
  (text) => {
    expect(() => quantityWritten(text)).toThrow(refusal);
  },
);

test('bytes have whole pairs of digits, with 0x or without', () => {
  expect([bytesWritten('aB'), bytesWritten('0xaB'), bytesWritten('')]).toEqual(['0xab', '0xab', '0x']);
  for (const text of ['a', '0xa', '0xgg', '0Xab', ' ab']) expect(() => bytesWritten(text)).toThrow(refusal);
});

test('a word has 32 bytes with 0x', () => {
  expect(wordWritten(`0x${'aB'.repeat(32)}`)).toBe(`0x${'ab'.repeat(32)}`);
  for (const text of ['ab'.repeat(32), `0x${'ab'.repeat(31)}`, `0x${'ab'.repeat(33)}`, `0x${'gg'.repeat(32)}`])
    expect(() => wordWritten(text)).toThrow(refusal);
});
