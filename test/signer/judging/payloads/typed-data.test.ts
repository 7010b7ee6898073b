import fc from 'fast-check';
import { hashTypedData as hashByViem } from 'viem';
import { hashTypedData } from '../../../../signer/judging/payloads/typed-data';

const ADDRESS = '0xCcCCccccCCCCcCCCCCCcCcCccCcCCCcCcccccccC';
/** The example message of EIP-712. */
const MAIL = {
  types: {
    EIP712Domain: [
      { name: 'name', type: 'string' },
      { name: 'version', type: 'string' },
      { name: 'chainId', type: 'uint256' },
      { name: 'verifyingContract', type: 'address' },
    ],
    Person: [
      { name: 'name', type: 'string' },
      { name: 'wallet', type: 'address' },
    ],
    Mail: [
      { name: 'from', type: 'Person' },
      { name: 'to', type: 'Person' },
      { name: 'contents', type: 'string' },
    ],
  },
  primaryType: 'Mail',
  domain: { name: 'Ether Mail', version: '1', chainId: 1, verifyingContract: ADDRESS },
  message: {
    from: { name: 'Cow', wallet: '0xCD2a3d9F938E13CD947Ec05AbC7FE734Df8DD826' },
    to: { name: 'Bob', wallet: '0xbBbBBBBbbBBBbbbBbbBbbbbBBbBbbbbBbBbbBBbB' },
    contents: 'Hello, Bob!',
  },
};
const MAIL_DIGEST = 'be609aee343fb3c4b28e1df9e632fca64fcfaede20f02e86244efddf30957bd2';
const digestOf = (typed: unknown) => Buffer.from(hashTypedData(JSON.stringify(typed)).digest).toString('hex');

test('EIP-712: the example of the standard has the digest of the standard', () => {
  expect(digestOf(MAIL)).toBe(MAIL_DIGEST);
  expect(hashTypedData(JSON.stringify(MAIL)).chainId).toBe(1n);
});

test('a missing domain type or primary type is derived from the rest', () => {
  const { EIP712Domain: _left, ...types } = MAIL.types;
  const { primaryType: _out, ...rest } = MAIL;
  expect(digestOf({ ...rest, types })).toBe(MAIL_DIGEST);
});

test('an independent library computes the same digest for values of every type', () => {
  const types = {
    Inner: [
      { name: 'flag', type: 'bool' },
      { name: 'small', type: 'int8' },
    ],
    Outer: [
      { name: 'text', type: 'string' },
      { name: 'blob', type: 'bytes' },
      { name: 'fixed', type: 'bytes5' },
      { name: 'who', type: 'address' },
      { name: 'amount', type: 'uint256' },
      { name: 'inner', type: 'Inner' },
      { name: 'list', type: 'Inner[]' },
      { name: 'grid', type: 'uint16[2][]' },
    ],
  } as const;
  const domain = { name: 'Test', chainId: 11_155_111 } as const;
  const bytes = (least: number, most: number) =>
    fc.uint8Array({ minLength: least, maxLength: most }).map((made): `0x${string}` => `0x${Buffer.from(made).toString('hex')}`);
  const inner = fc.record({ flag: fc.boolean(), small: fc.integer({ min: -128, max: 127 }) });
  const outer = fc.record({
    text: fc.string({ unit: 'grapheme' }),
    blob: bytes(0, 70),
    fixed: bytes(5, 5),
    who: bytes(20, 20),
    amount: fc.bigInt({ min: 0n, max: 2n ** 256n - 1n }),
    inner,
    list: fc.array(inner, { maxLength: 3 }),
    grid: fc.array(fc.tuple(fc.integer({ min: 0, max: 65_535 }), fc.integer({ min: 0, max: 65_535 })), { maxLength: 3 }),
  });
  fc.assert(
    fc.property(outer, (message) => {
      const expected = hashByViem({ types, primaryType: 'Outer', domain, message });
      expect(`0x${digestOf({ types, domain, message: { ...message, amount: String(message.amount) } })}`).toBe(expected);
    }),
    { numRuns: 60 },
  );
});

const one = (type: string, value: unknown) => ({ types: { A: [{ name: 'a', type }] }, domain: {}, message: { a: value } });
const withDomain = (domain: object, EIP712Domain?: object[]) => ({
  ...one('bool', true),
  domain,
  types: { A: [{ name: 'a', type: 'bool' }], ...(EIP712Domain ? { EIP712Domain } : {}) },
});

test.each<[string, unknown]>([
  ['a number that does not fit', one('uint8', 256)],
  ['a negative number for an unsigned type', one('uint256', '-1')],
  ['a number that was rounded', one('uint256', Number.MAX_SAFE_INTEGER + 1)],
  ['a number with a fraction', one('uint256', 1.5)],
  ['a number in exponent notation', one('uint256', '1e3')],
  ['an alias that is not in the standard', one('uint', 1)],
  ['an integer size that does not exist', one('uint7', 1)],
  ['bytes of a wrong length', one('bytes4', '0x000000')],
  ['bytes without 0x', one('bytes', '00')],
  ['an address with a wrong checksum', one('address', ADDRESS.replace('Cc', 'cC'))],
  ['an address that is too short', one('address', '0x00')],
  ['a number instead of a text', one('string', 1)],
  ['an unpaired surrogate', one('string', '\ud800')],
  ['something that is neither true nor false', one('bool', 1)],
  ['an array of a wrong length', one('bool[2]', [true])],
  ['an object instead of an array', one('bool[]', { 0: true })],
  ['a type that is not defined', one('B', {})],
  ['null instead of a struct', { types: { A: [{ name: 'b', type: 'B' }], B: [] }, domain: {}, message: { b: null } }],
  ['a member missing', { ...one('bool', true), message: {} }],
  ['an additional member', { ...one('bool', true), message: { a: true, b: true } }],
  ['a field twice', { ...one('bool', true), types: { A: Array(2).fill({ name: 'a', type: 'bool' }) } }],
  ['two roots', { ...one('bool', true), types: { A: [{ name: 'a', type: 'bool' }], B: [] } }],
  [
    'two types that refer to each other',
    { types: { A: [{ name: 'a', type: 'B' }], B: [{ name: 'b', type: 'A' }] }, domain: {}, message: { a: {} } },
  ],
  ['an undefined primary type', { ...one('bool', true), primaryType: 'B' }],
  ['only a domain', { ...one('bool', true), primaryType: 'EIP712Domain' }],
  ['a struct with the name of a type', { ...one('bool', true), types: { uint8: [{ name: 'a', type: 'bool' }] } }],
  ['a domain with a non-standard field', withDomain({ owner: ADDRESS })],
  ['a domain with a field of a wrong type', withDomain({ chainId: '1' }, [{ name: 'chainId', type: 'string' }])],
  ['a domain without a field that its type declares', withDomain({}, [{ name: 'chainId', type: 'uint256' }])],
  ['an additional top-level member', { ...one('bool', true), kind: 'Eip712' }],
  ['a list instead of an object', []],
])('%s is refused', (_what, typed) => {
  expect(() => hashTypedData(JSON.stringify(typed))).toThrow();
});

test('deep nesting and too many types are refused quickly', () => {
  const arrays = (depth: number) => one(`bool${'[]'.repeat(depth)}`, JSON.parse(`${'['.repeat(depth)}${']'.repeat(depth)}`));
  expect(() => hashTypedData(JSON.stringify(arrays(60)))).toThrow();
  const many = Object.fromEntries(Array.from({ length: 65 }, (_unused, index) => [`T${index}`, []]));
  expect(() => hashTypedData(JSON.stringify({ ...one('bool', true), types: { ...one('bool', true).types, ...many } }))).toThrow();
  expect(() => hashTypedData(`${'{"types":'.repeat(7_000)}`)).toThrow();
});
