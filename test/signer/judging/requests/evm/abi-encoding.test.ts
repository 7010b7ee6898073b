import fc from 'fast-check';
import { encodeFunction } from '../../../../../chains/evm/functions';
import type { AbiParameter } from '../../../../../chains/evm/types';
import { encodeRequestedCall } from '../../../../../signer/judging/requests/evm/abi-encoding';
import { refusedAs } from '../../../fixtures';

type Typed = { readonly type: string; readonly components?: readonly AbiParameter[]; readonly value: unknown };

const hexOf = (least: number, most: number) =>
  fc.uint8Array({ minLength: least, maxLength: most }).map((bytes) => `0x${Buffer.from(bytes).toString('hex')}`);
const sizes = fc.integer({ min: 1, max: 32 });

const integer = fc.tuple(fc.boolean(), sizes).chain(([isSigned, bytes]) => {
  const bits = BigInt(8 * bytes);
  const range = isSigned ? fc.bigInt(-(2n ** (bits - 1n)), 2n ** (bits - 1n) - 1n) : fc.bigInt(0n, 2n ** bits - 1n);
  const written = (units: bigint) =>
    fc.constantFrom<unknown>(
      units.toString(),
      ...(units < 0n ? [] : [`0x${units.toString(16)}`]),
      ...(Number.isSafeInteger(Number(units)) ? [Number(units)] : []),
    );
  const type = `${isSigned ? '' : 'u'}int${bits}`;
  return range
    .filter((units) => units.toString().length < 79)
    .chain(written)
    .map((value): Typed => ({ type, value }));
});
const fixed = sizes.chain((bytes) => hexOf(bytes, bytes).map((value): Typed => ({ type: `bytes${bytes}`, value })));
const plain = fc.oneof(
  hexOf(20, 20).map((value): Typed => ({ type: 'address', value })),
  fc.boolean().map((value): Typed => ({ type: 'bool', value })),
  fc.string({ unit: 'grapheme', maxLength: 70 }).map((value): Typed => ({ type: 'string', value })),
  hexOf(0, 70).map((value): Typed => ({ type: 'bytes', value })),
);

const withValues = (members: readonly Typed[], isNamed: boolean) => {
  const nameOf = (index: number) => (isNamed ? `m${index}` : '');
  const parameters = members.map(({ value: _value, ...one }, index): AbiParameter => ({ name: nameOf(index), ...one }));
  const values = Object.fromEntries(members.map(({ value }, index) => [isNamed ? `m${index}` : String(index), value]));
  return { parameters, values };
};

const { typed } = fc.letrec<{ typed: Typed; tuple: Typed; list: Typed }>((tie) => ({
  typed: fc.oneof({ depthSize: 'small' }, integer, fixed, plain, tie('tuple'), tie('list')),
  tuple: fc.tuple(fc.array(tie('typed'), { minLength: 1, maxLength: 3 }), fc.boolean()).map(([members, isNamed]): Typed => {
    const { parameters, values } = withValues(members, isNamed);
    return { type: 'tuple', components: parameters, value: values };
  }),
  list: fc.tuple(tie('typed'), fc.integer({ min: 1, max: 3 }), fc.boolean()).map(
    ([{ type, value, ...one }, length, isFixed]): Typed => ({
      ...{ type: `${type}[${isFixed ? length : ''}]`, value: new Array(length).fill(value) },
      ...one,
    }),
  ),
}));

test('every call is encoded as the builder encodes it', () => {
  const functions = fc.record({ members: fc.array(typed, { maxLength: 4 }), isNamed: fc.boolean() });
  fc.assert(
    fc.property(functions, ({ members, isNamed }) => {
      const { parameters: inputs, values } = withValues(members, isNamed);
      const abi = { name: 'f_1', stateMutability: 'payable', inputs, outputs: [] } as const;
      expect(encodeRequestedCall('f_1', inputs as never, values)).toBe(encodeFunction(abi, values, 'body'));
    }),
    { numRuns: 400 },
  );
});

const one = (type: string, components?: readonly AbiParameter[]) => [
  { name: 'x', type, ...(components && { components: [...components] }) },
];

test.each([
  ['a type that does not exist in ABIs', one('uint7'), '1'],
  ['an integer without its size', one('uint'), '1'],
  ['a type in capitals', one('Address'), '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed'],
  ['a list of length 0', one('uint8[0]'), []],
  ['too few items', one('uint8[2]'), ['1']],
  ['too many items', one('uint8[2]'), ['1', '2', '3']],
  ['a number instead of a list', one('uint8[]'), 1],
  ['a tuple without members', one('tuple'), {}],
  ['a plain type with members', one('uint8', [{ name: 'y', type: 'uint8' }]), '1'],
  [
    'two members with the same name',
    one('tuple', [
      { name: 'y', type: 'bool' },
      { name: 'y', type: 'bool' },
    ]),
    { y: true },
  ],
  [
    'one value for two members with the same name',
    one('tuple', [
      { name: 'y', type: 'bool' },
      { name: 'y', type: 'bool' },
    ]),
    { y: true, z: false },
  ],
  ['a member with a wrong name', one('tuple', [{ name: 'y', type: 'bool' }]), { z: true }],
  ['a text instead of a list', one('string[]'), 'a'],
  ['a text instead of a tuple', one('tuple', [{ name: '', type: 'string' }]), 'a'],
  ['nothing instead of a tuple', one('tuple', [{ name: '', type: 'bool' }]), null],
  ['a numeric name instead of a position', one('tuple', [{ name: '1', type: 'bool' }]), { 1: true }],
  ['a list instead of a tuple', one('tuple', [{ name: '', type: 'bool' }]), [true]],
])('%s is refused', (_what, inputs, value) => {
  expect(() => encodeRequestedCall('f', inputs as never, { x: value })).toThrow(refusedAs('RequestMismatch'));
});

test.each([
  ['a number that does not fit', 'uint8', '256'],
  ['a negative number', 'uint256', '-1'],
  ['a rounded number', 'uint256', 2 ** 53],
  ['a fraction', 'uint256', 1.5],
  ['a text instead of a boolean', 'bool', 'true'],
  ['bytes of a wrong length', 'bytes4', '0x112233'],
  ['bytes without 0x', 'bytes', '1122'],
  ['an address with a wrong checksum', 'address', '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'],
])('%s throws', (_what, type, value) => {
  expect(() => encodeRequestedCall('f', one(type) as never, { x: value })).toThrow();
});

test('as many values as fit into a call of 16 KiB are encoded, and one more value is refused', () => {
  const call = (count: number) =>
    encodeRequestedCall('f', one('uint8[][]') as never, { x: [new Array(256).fill(0), new Array(count).fill(0)] });
  expect(call(256)).toHaveLength(2 + 2 * (4 + 32 * (1 + 1 + 2 + 2 + 512)));
  expect(() => call(257)).toThrow(refusedAs('RequestMismatch'));
});

test('a list has at most 512 items, also if the items are empty', () => {
  const call = (count: number) => encodeRequestedCall('f', one('uint8[][]') as never, { x: new Array(count).fill([]) });
  expect(call(512)).toHaveLength(2 + 2 * (4 + 32 * (1 + 1 + 2 * 512)));
  expect(() => call(513)).toThrow(refusedAs('RequestMismatch'));
});

test('a missing argument, an additional argument and a name that no function has are refused', () => {
  const refusal = refusedAs('RequestMismatch');
  expect(() => encodeRequestedCall('f', one('bool') as never, {})).toThrow(refusal);
  expect(() => encodeRequestedCall('f', one('bool') as never, { x: true, y: true })).toThrow(refusal);
  expect(() => encodeRequestedCall('f(bool)', [], {})).toThrow(refusal);
});
