import { createAddressTable } from '../../../activities/scans/address-table';

const ADDRESS_BYTES = 20;
const KEY = { bytes: ADDRESS_BYTES, write: (plain: string, into: Buffer) => void into.write(plain.slice(2), 'hex') };
const COUNT = 2_000;
const STEPS_MAX = 8;

const addressOf = (at: number, form: string) => `0x${form.replace('*', at.toString(16).padStart(8, '0'))}`;
const zeros = (digits: number) => '0'.repeat(digits);

afterEach(() => jest.restoreAllMocks());

test.each([
  { place: 'last', form: `${zeros(32)}*` },
  { place: 'first', form: `*${zeros(32)}` },
  { place: 'middle', form: `${zeros(16)}*${zeros(16)}` },
])('addresses that differ only in their $place bytes are found after a few steps', ({ form }) => {
  const compared = jest.spyOn(Buffer.prototype, 'compare');
  const table = createAddressTable(KEY);
  for (let at = 0; at < COUNT; at += 1) table.add(addressOf(at, form));
  expect(table.size()).toBe(COUNT);
  // Growth moves each address about twice.
  expect(compared.mock.calls.length).toBeLessThan(3 * STEPS_MAX * COUNT);
  compared.mockClear();
  for (let at = 0; at < 2 * COUNT; at += 1) expect(table.has(addressOf(at, form))).toBe(at < COUNT);
  expect(compared.mock.calls.length).toBeLessThan(STEPS_MAX * 2 * COUNT);
});
