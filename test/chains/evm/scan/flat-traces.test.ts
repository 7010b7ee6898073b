import { callsInFlatTraces, FlatTraces } from '../../../../chains/evm/scan/flat-traces';

const HASH = `0x${'11'.repeat(32)}`;
const [FIRST, SECOND] = [`0x${'22'.repeat(32)}`, `0x${'33'.repeat(32)}`];
const [ALICE, BOB] = [`0x${'aa'.repeat(20)}`, `0x${'bb'.repeat(20)}`];
const BLOCK = { hash: HASH, transactions: [{ hash: FIRST }, { hash: SECOND }] };

type Parts = { readonly tx?: string; readonly subtraces?: number; readonly value?: string; readonly more?: object };
const call = (traceAddress: readonly number[], { tx = FIRST, subtraces = 0, value = '0x0', more = {} }: Parts = {}) => ({
  ...{ type: 'call', blockHash: HASH, transactionHash: tx, traceAddress, subtraces },
  ...{ action: { callType: 'call', from: ALICE, to: BOB, value }, result: { output: '0x' }, ...more },
});
const calls = (...traces: readonly object[]) => callsInFlatTraces(BLOCK, FlatTraces.parse(traces));
const reward = { type: 'reward', blockHash: HASH, traceAddress: [], subtraces: 0, action: { value: '0x9' } };

const WHOLE = [
  call([], { subtraces: 2, value: '0x9' }),
  call([0], { subtraces: 1, value: '0x1' }),
  call([0, 0], { value: '0x2' }),
  call([1], { value: '0x3' }),
  call([], { tx: SECOND }),
];
const paid = (amountUnits: bigint) => ({ from: ALICE, to: BOB, amountUnits });

test('the payments within each transaction are listed in the order of the chain, without the payment of the transaction', () => {
  expect(calls(...WHOLE)).toEqual([[paid(1n), paid(2n), paid(3n)], []]);
  expect(calls(...WHOLE, reward)).toEqual([[paid(1n), paid(2n), paid(3n)], []]);
});

const failing = (place: number) => WHOLE.map((one, at) => (at === place ? { ...one, error: 'Reverted' } : one));

test('a failed call undoes the calls within it, and no other call', () => {
  expect(calls(...failing(1))).toEqual([[paid(3n)], []]);
  expect(calls(...failing(0))).toEqual([[], []]);
});

test.each(['delegatecall', 'callcode', 'staticcall'])('a %s moves no coins', (callType) => {
  const inner = call([0], { value: '0x5', more: { action: { callType, from: ALICE, to: BOB, value: '0x5' } } });
  expect(calls(call([], { subtraces: 1 }), inner, call([], { tx: SECOND }))).toEqual([[], []]);
});

test('a created contract gets coins at its new address, and a contract that ends pays its heir', () => {
  const created = call([0], { more: { type: 'create', action: { from: ALICE, value: '0x4' }, result: { address: BOB } } });
  const action = { address: BOB, refundAddress: ALICE, balance: '0x6' };
  const ended = call([1], { more: { type: 'suicide', action, result: null } });
  expect(calls(call([], { subtraces: 2 }), created, ended, call([], { tx: SECOND }))).toEqual([
    [paid(4n), { from: BOB, to: ALICE, amountUnits: 6n }],
    [],
  ]);
});

test.each([
  ['lacks a call in the middle', WHOLE.filter((_, at) => at !== 1)],
  ['lacks an innermost call', WHOLE.filter((_, at) => at !== 2)],
  ['lacks the last call of a transaction', WHOLE.filter((_, at) => at !== 3)],
  ['lacks the first transaction', WHOLE.slice(4)],
  ['lacks the last transaction', WHOLE.slice(0, 4)],
  ['has a transaction twice', [...WHOLE, WHOLE[4]]],
  ['has a call twice', [...WHOLE.slice(0, 3), WHOLE[2], ...WHOLE.slice(3)]],
  ['has calls in another order', [WHOLE[0], WHOLE[3], WHOLE[1], WHOLE[2], WHOLE[4]]],
  ['has the transactions in another order', [WHOLE[4], ...WHOLE.slice(0, 4)]],
  ['is of another block', WHOLE.map((one) => ({ ...one, blockHash: SECOND }))],
  ['has a call of another transaction', WHOLE.map((one, at) => (at === 2 ? { ...one, transactionHash: SECOND } : one))],
  ['is empty', []],
] as const)('a reply that %s is no reply', (_name, traces) => {
  expect(calls(...(traces as readonly object[]))).toBeUndefined();
});

test('a node that does not know the block returns null, which is no reply', () => {
  expect(callsInFlatTraces(BLOCK, FlatTraces.parse(null))).toBeUndefined();
});
