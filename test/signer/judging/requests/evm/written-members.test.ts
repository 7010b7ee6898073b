import { addressWritten } from '../../../../../signer/judging/requests/evm/written-members';

const CHECKED = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const digits = CHECKED.slice(2);

test.each([CHECKED, CHECKED.toLowerCase(), `0x${digits.toUpperCase()}`, `xdc${digits}`])(
  '%s is an address, and is read with its checksum',
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
  ['another prefix', `0X${digits}`],
])('an address with %s is refused', (_name, text) => {
  expect(() => addressWritten(text, 'xdc')).toThrow();
});
