import { encodeAbiParameters, encodeEventTopics, keccak256, parseAbiItem, toHex } from 'viem';
import { definitionIn, definitionOf, indexOf } from '../../../../chains/evm/scan/event-definitions';
import { KNOWN_EVENTS } from '../../../../chains/evm/scan/known-events';
import type { AbiEntry } from '../../../../domain/registry';

const ALICE = '0x1a642f0E3c3aF545E7AcBD38b07251B3990914F1';
const BOB = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
type Log = { readonly topics: readonly string[]; readonly data: string };

/** The log that viem, an independent implementation, encodes from the arguments. */
function logOf(event: AbiEntry, args: readonly unknown[]): Log {
  const inputs = event['inputs'] as readonly { readonly indexed?: boolean; readonly type: string }[];
  const topics = encodeEventTopics({
    abi: [event] as never,
    args: args.filter((_, at) => inputs[at]?.indexed) as never,
  } as never) as string[];
  const data = encodeAbiParameters(
    inputs.filter(({ indexed }) => !indexed) as never,
    args.filter((_, at) => !inputs[at]?.indexed) as never,
  );
  return { topics, data };
}
const eventOf = (text: string): AbiEntry => ({ ...parseAbiItem(`event ${text}` as string) });
const decode = (event: AbiEntry, log: Log) => definitionOf(event)?.decode({ ...log, topics: [...log.topics] } as never);

test.each<[string, readonly unknown[], object]>([
  ['One(address indexed a, uint256 b)', [ALICE, 7n], { a: ALICE, b: '7' }],
  ['Small(uint8 a, int16 b, bool c, bytes4 d)', [255, -2, true, '0xdeadbeef'], { a: '255', b: '-2', c: true, d: '0xdeadbeef' }],
  ['Long(string a, bytes b)', ['Grüße', `0x${'ab'.repeat(40)}`], { a: 'Grüße', b: `0x${'ab'.repeat(40)}` }],
  [
    'Lists(uint256[] a, address[2] b)',
    [
      [1n, 2n],
      [ALICE, BOB],
    ],
    { a: ['1', '2'], b: [ALICE, BOB] },
  ],
  [
    'Nested(string[] a, uint8[][2] b)',
    [
      ['x', ''],
      [[1], [2, 3]],
    ],
    { a: ['x', ''], b: [['1'], ['2', '3']] },
  ],
  ['Both(uint256 indexed, address)', [5n, ALICE], { 0: '5', 1: ALICE }],
  ['Hashed(string indexed a)', ['x'], { a: keccak256(toHex('x')) }],
  [
    'Pair((address owner, (uint256 amount, string note)[] parts) a)',
    [{ owner: BOB, parts: [{ amount: 1n, note: 'n' }] }],
    { a: { owner: BOB, parts: [{ amount: '1', note: 'n' }] } },
  ],
])('%s is decoded', (text, args, expected) => {
  const event = eventOf(text);
  expect(decode(event, logOf(event, args))?.args).toEqual(expected);
});

test('the decoded addresses are exactly the values of the type address, at any depth; numbers that look like addresses are not', () => {
  const event = eventOf('Deep(address indexed a, (address[] list)[] b, uint256 c)');
  const other = '0x00000000000000000000000000000000000000ff';
  const decoded = decode(event, logOf(event, [ALICE, [{ list: [BOB] }], BigInt(other)]));
  expect([...(decoded?.addresses ?? [])]).toEqual(expect.arrayContaining([ALICE, BOB]));
  expect(decoded?.addresses.size).toBe(2);
});

const word = (value: bigint) => value.toString(16).padStart(64, '0');
const dataOf = (...words: readonly bigint[]) => `0x${words.map(word).join('')}`;

test.each<[string, string, string]>([
  ['too little data', 'E(uint256 a, uint256 b)', dataOf(1n)],
  ['no data', 'E(uint256 a)', '0x'],
  ['a number above the range of its type', 'E(uint8 a)', dataOf(256n)],
  ['a negative number without its sign', 'E(int8 a)', dataOf(255n)],
  ['a bool of 2', 'E(bool a)', dataOf(2n)],
  ['an address of 21 bytes', 'E(address a)', dataOf(1n << 160n)],
  ['bytes4 with a fifth byte', 'E(bytes4 a)', dataOf(1n << 216n)],
  ['a pointer past the end', 'E(bytes a)', dataOf(64n, 0n)],
  ['a pointer of 2^255', 'E(bytes a)', dataOf(1n << 255n, 0n)],
  ['a length past the end', 'E(bytes a)', dataOf(32n, 33n, 0n)],
  ['an array of 2^64', 'E(uint256[] a)', dataOf(32n, 1n << 64n)],
  ['two pointers to the same bytes', 'E(bytes a, bytes b)', dataOf(64n, 64n, 1n, 0n)],
  ['a pointer to itself', 'E(uint256[][] a)', dataOf(0n)],
  ['half a word', 'E(uint256 a)', `0x${'00'.repeat(31)}`],
])('a log with %s is not decoded', (_title, text, data) => {
  const event = eventOf(text);
  expect(decode(event, { topics: encodeEventTopics({ abi: [event] as never } as never) as string[], data })).toBeUndefined();
});

test('an indexed list or tuple is its hash, even if the hash looks like an address', () => {
  const event = plain([
    { type: 'address[1]', name: 'a', indexed: true },
    { type: 'tuple', name: 'b', indexed: true, components: [{ type: 'address' }] },
  ]);
  const hash = `0x${ALICE.slice(2).toLowerCase().padStart(64, '0')}`;
  const decoded = decode(event, { topics: ['', hash, hash], data: '0x' });
  expect(decoded).toEqual({ args: { a: hash, b: hash }, addresses: new Set() });
});

test('a topic that does not fit its type is not decoded', () => {
  const event = eventOf('E(address indexed a)');
  const [topic = ''] = encodeEventTopics({ abi: [event] as never } as never) as string[];
  expect(decode(event, { topics: [topic, `0x${'ff'.repeat(32)}`], data: '0x' })).toBeUndefined();
});

test('a text with a zero character, which Postgres does not store, and invalid UTF-8 are replaced', () => {
  const event = eventOf('E(string a)');
  expect(decode(event, logOf(event, ['a\0b']))?.args).toEqual({ a: 'a\uFFFDb' });
  const data = `0x${word(32n)}${word(1n)}${'ff'.padEnd(64, '0')}`;
  expect(decode(event, { ...logOf(event, ['']), data })?.args).toEqual({ a: '\uFFFD' });
});

const plain = (inputs: readonly object[], set: object = {}): AbiEntry => ({ type: 'event', name: 'E', inputs, ...set });

test.each<[string, AbiEntry]>([
  ['a function', { type: 'function', name: 'E', inputs: [] }],
  ['an anonymous event', plain([], { anonymous: true })],
  ['uint7', plain([{ type: 'uint7' }])],
  ['uint264', plain([{ type: 'uint264' }])],
  ['bytes33', plain([{ type: 'bytes33' }])],
  ['an array of empty arrays', plain([{ type: 'uint256[0][]' }])],
  ['an array of empty tuples', plain([{ type: 'tuple[]', components: [] }])],
  ['a tuple without components', plain([{ type: 'tuple' }])],
])('%s is not a definition', (_title, entry) => {
  expect(definitionOf(entry)).toBeUndefined();
});

test('a fixed array that is far larger than the data, in many dimensions, is refused at once', () => {
  const event = plain([{ type: `uint256${'[999999999]'.repeat(20)}` }]);
  expect(definitionOf(event)?.decode({ topics: [], data: dataOf(1n) } as never)).toBeUndefined();
});

test('arguments with equal names or with names that JavaScript uses keep their values', () => {
  const event = plain([
    { type: 'uint256', name: 'a' },
    { type: 'uint256', name: 'a' },
    { type: 'uint256', name: '__proto__' },
  ]);
  const args = definitionOf(event)?.decode({ topics: [], data: dataOf(1n, 2n, 3n) } as never)?.args;
  expect(JSON.stringify(args)).toBe('{"1":"2","a":"1","__proto__":"3"}');
});

test('events with the same types are distinguished by the number of indexed arguments', () => {
  const of = (text: string, args: readonly unknown[]) => definitionIn(KNOWN_EVENTS, logOf(eventOf(text), args) as never);
  expect(of('Approval(address indexed, address indexed, uint256)', [ALICE, BOB, 1n])).toMatchObject({ standard: 'ERC-20' });
  expect(of('Approval(address indexed, address indexed, uint256 indexed)', [ALICE, BOB, 1n])?.standard).toBe('ERC-721');
  expect(of('Approval(address, address, uint256)', [ALICE, BOB, 1n])).toBeUndefined();
});

test('every well-known event has the topic that viem computes', () => {
  expect(KNOWN_EVENTS.size).toBe(22);
  for (const { signature, topic } of KNOWN_EVENTS.values())
    expect([signature, topic]).toEqual([signature, keccak256(toHex(signature))]);
  const signatures = [...KNOWN_EVENTS.values()].map(({ signature }) => signature);
  expect(signatures).toContain('TransferSingle(address,address,address,uint256,uint256)');
  expect(signatures).not.toContain('Transfer(address,address,uint256)');
});

test('the index of an interface contains only the first of two equal events', () => {
  const index = indexOf([definitionOf(eventOf('E(uint256 a)')), definitionOf(eventOf('E(uint256 b)')), undefined]);
  expect(index.size).toBe(1);
  expect(
    definitionIn(index, logOf(eventOf('E(uint256 x)'), [1n]) as never)?.decode(logOf(eventOf('E(uint256 x)'), [1n]) as never)
      ?.args,
  ).toEqual({
    a: '1',
  });
});
