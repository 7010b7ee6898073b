import fc from 'fast-check';
import { decodeFunctionData, encodeAbiParameters, encodeFunctionData, parseAbiItem } from 'viem/utils';
import { decodeAnswer, encodeFunction } from '../../../chains/evm/functions';
import type { AbiFunction, AbiParameter } from '../../../chains/evm/types';

const fn = (name: string, inputs: readonly AbiParameter[], outputs: readonly AbiParameter[] = []): AbiFunction => ({
  name,
  stateMutability: 'view',
  inputs,
  outputs,
});
const named = (name: string, type: string, components?: readonly AbiParameter[]): AbiParameter => ({
  name,
  type,
  ...(components ? { components } : {}),
});
const one = (type: string, components?: readonly AbiParameter[]) => fn('f', [named('x', type, components)]);

/** Vectors of the specification of Solidity's contract ABI (docs.soliditylang.org, "Contract ABI Specification", Examples). */
test.each<[string, AbiFunction, Record<string, unknown>, string]>([
  [
    'baz(uint32,bool)',
    fn('baz', [named('x', 'uint32'), named('y', 'bool')]),
    { x: 69, y: true },
    `0xcdcd77c0${'45'.padStart(64, '0')}${'1'.padStart(64, '0')}`,
  ],
  [
    'bar(bytes3[2])',
    fn('bar', [named('', 'bytes3[2]')]),
    { 0: ['0x616263', '0x646566'] },
    `0xfce353f6${'616263'.padEnd(64, '0')}${'646566'.padEnd(64, '0')}`,
  ],
  [
    'sam(bytes,bool,uint256[])',
    fn('sam', [named('name', 'bytes'), named('z', 'bool'), named('data', 'uint256[]')]),
    { name: '0x64617665', z: true, data: ['1', '0x2', 3] },
    `0xa5643bf2${['60', '1', 'a0', '4'].map((word) => word.padStart(64, '0')).join('')}${'64617665'.padEnd(64, '0')}${['3', '1', '2', '3'].map((word) => word.padStart(64, '0')).join('')}`,
  ],
])('%s is encoded as in the specification', (_signature, abi, values, data) => {
  expect(encodeFunction(abi, values, 'body')).toBe(data);
});

test('an independent library reads the encoding of tuples within tuples and lists', () => {
  const order = [named('maker', 'address'), named('', 'int24[]')];
  const abi = fn('fill', [named('orders', 'tuple[]', [named('inner', 'tuple', order), named('note', 'string')])]);
  const maker = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
  const data = encodeFunction(abi, { orders: [{ inner: { maker, 1: ['-8388608', 8_388_607] }, note: 'é' }] }, 'body');
  const item = parseAbiItem('function fill(((address maker, int24[] ticks) inner, string note)[] orders)');
  expect(decodeFunctionData({ abi: [item], data: data as `0x${string}` }).args).toEqual([
    [{ inner: { maker, ticks: [-8_388_608, 8_388_607] }, note: 'é' }],
  ]);
});

test('every amount of up to 256 bits is encoded as an independent library encodes it', () => {
  const item = parseAbiItem('function f(uint256 x, int128 y)');
  const abi = fn('f', [named('x', 'uint256'), named('y', 'int128')]);
  const anything = fc.record({ x: fc.bigInt(0n, 2n ** 256n - 1n), y: fc.bigInt(-(2n ** 127n), 2n ** 127n - 1n) });
  fc.assert(
    fc.property(anything, ({ x, y }) => {
      const data = encodeFunction(abi, { x: x.toString(), y: y.toString() }, 'body');
      expect(data).toBe(encodeFunctionData({ abi: [item], args: [x, y] }));
    }),
  );
});

const EMPTY = '0x0000000000000000000000000000000000000000';
test.each<[string, AbiFunction, Record<string, unknown>, string]>([
  ['a short name of a type', one('uint'), { x: 1 }, 'body.abi.inputs.0.type'],
  ['an integer type with an invalid number of bits', one('uint12'), { x: 1 }, 'body.abi.inputs.0.type'],
  ['a bytes type longer than 32', one('bytes33'), { x: '0x' }, 'body.abi.inputs.0.type'],
  ['a list of length zero', one('uint8[0]'), { x: [] }, 'body.abi.inputs.0.type'],
  ['a list with too many members', one('uint8[999][999]'), { x: [] }, 'body.abi.inputs.0.type'],
  ['a tuple without components', one('tuple', []), { x: {} }, 'body.abi.inputs.0.components'],
  ['components on a number', one('uint8', [named('y', 'bool')]), { x: 1 }, 'body.abi.inputs.0.components'],
  ['a duplicate name', fn('f', [named('x', 'bool'), named('x', 'bool')]), { x: true }, 'body.abi.inputs.1.name'],
  ['the name __proto__', fn('f', [named('__proto__', 'bool')]), {}, 'body.abi.inputs.0.name'],
  ['an invalid function name', fn('f()', []), {}, 'body.abi.name'],
  ['an additional argument', one('bool'), { x: true, y: true }, 'body.calldata.y'],
  ['a missing argument', one('bool'), {}, 'body.calldata.x'],
  ['a number that JSON has rounded', one('uint256'), { x: 2 ** 53 }, 'body.calldata.x'],
  ['a number above the range of its type', one('uint8'), { x: 256 }, 'body.calldata.x'],
  ['a number below the range of its type', one('int8'), { x: '-129' }, 'body.calldata.x'],
  ['a fraction', one('uint8'), { x: '1.5' }, 'body.calldata.x'],
  ['a text instead of a boolean', one('bool'), { x: 'true' }, 'body.calldata.x'],
  ['a missing byte', one('bytes3'), { x: '0x0102' }, 'body.calldata.x'],
  ['an incomplete byte', one('bytes'), { x: '0x012' }, 'body.calldata.x'],
  ['an address with a wrong checksum', one('address'), { x: '0x70997970c51812dc3A010C7d01b50e0d17dc79C8' }, 'body.calldata.x'],
  ['an unpaired surrogate', one('string'), { x: '\ud800' }, 'body.calldata.x'],
  ['a missing list member', one('address[2]'), { x: [EMPTY] }, 'body.calldata.x'],
  ['an object instead of a list', one('bool[]'), { x: {} }, 'body.calldata.x'],
  ['a list member with a wrong type', one('bool[]'), { x: [true, 1] }, 'body.calldata.x.1'],
  ['data beyond the limit', one('bytes'), { x: `0x${'00'.repeat(16_384)}` }, 'body.calldata'],
])('%s is refused at its path', (_what, abi, values, path) => {
  expect(() => encodeFunction(abi, values, 'body')).toThrow(
    expect.objectContaining({ code: 'InvalidRequest', details: { issues: [expect.objectContaining({ path })] } }),
  );
});

test('a single value is returned as it is, several values as a list, and integers of any size as decimal digits', () => {
  const pair = [named('balance', 'uint112'), named('at', 'uint32')];
  const single = fn('f', [], [named('', 'tuple', pair)]);
  const data = encodeAbiParameters([{ type: 'uint256' }, { type: 'uint32' }], [2n ** 100n, 7]);
  expect(decodeAnswer(single, data, 'body')).toEqual({ balance: (2n ** 100n).toString(), at: '7' });
  expect(decodeAnswer(fn('f', [], pair), data, 'body')).toEqual([(2n ** 100n).toString(), '7']);
  expect(decodeAnswer(fn('f', []), '0x', 'body')).toEqual([]);
});

test.each([
  ['empty', 'uint256', '0x'],
  ['too short', 'uint256', '0x01'],
  ['an invalid boolean', 'bool', `0x${'02'.padStart(64, '0')}`],
  ['a list with a huge length', 'uint256[]', `0x${'20'.padStart(64, '0')}${'ff'.repeat(32)}`],
  ['a list that points at itself', 'uint256[][][]', `0x${'20'.padStart(64, '0')}${'ffff'.padStart(64, '0')}${'0'.repeat(640)}`],
])('a reply that is %s is refused', (_what, type, data) => {
  expect(() => decodeAnswer(fn('f', [], [named('', type)]), data, 'body')).toThrow(
    expect.objectContaining({
      code: 'InvalidRequest',
      details: { issues: [expect.objectContaining({ path: 'body.abi.outputs' })] },
    }),
  );
});
