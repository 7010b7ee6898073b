import { secp256k1 } from '@noble/curves/secp256k1.js';
import { keccak256, parseTransaction, serializeTransaction } from 'viem/utils';
import { evmEffect } from '../../red-team/effects';
import { createJudge } from '../../red-team/judge';
import { evmCodec, feesOf } from '../../red-team/orders';

const SECRET = new Uint8Array(32).fill(1);
const FROM = evmCodec.addressOf(Buffer.from(secp256k1.getPublicKey(SECRET)).toString('hex'));
const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const ASKED = evmEffect(FROM, TO, 1_000n, '0x');
const NO_LIMIT = { prefix: 'none', unitsMax: 0n };

type Paid = { readonly to?: string; readonly amountUnits?: bigint; readonly nonce?: number; readonly chainId?: number };

/** An order and a key's signature for this order. */
function signed({ to = TO, amountUnits = 1_000n, nonce = 4, chainId }: Paid = {}) {
  const intent = { network: 'EthereumSepolia', from: FROM, to, amountUnits, asset: { kind: 'Native' } } as const;
  const built = evmCodec.build(intent, nonce, feesOf(1n)).bytesHex as `0x${string}`;
  const { value = 0n } = parseTransaction(built);
  const otherwise = () => serializeTransaction({ type: 'eip1559', chainId: chainId ?? 0, to: TO, value, nonce });
  const bytesHex = chainId === undefined ? built : otherwise();
  const digest = Buffer.from(keccak256(bytesHex).slice(2), 'hex');
  const [recovery = 0, ...compact] = secp256k1.sign(digest, SECRET, { prehash: false, format: 'recovered' });
  const hex = Buffer.from(compact).toString('hex');
  const signature = { r: `0x${hex.slice(0, 64)}`, s: `0x${hex.slice(64)}`, recoveryId: recovery };
  return [{ op: 'signTransfer', bytesHex }, { signature }] as const;
}

const NO_PACE = { prefix: 'none', countMax: 0 };

function judged(...orders: readonly Paid[]): unknown[] {
  const judge = createJudge(NO_LIMIT, NO_PACE);
  judge.ask(ASKED);
  return orders.map((paid) => judge.judgeSignatures(...signed(paid)).gain);
}

test('a requested payment is not a gain for the attacker, however often it is signed with the same nonce', () => {
  expect(judged({}, {})).toEqual([undefined, undefined]);
});

test.each<[string, Paid]>([
  ['a different recipient', { to: FROM }],
  ['a different amount', { amountUnits: 1_001n }],
  ['a different chain', { chainId: 1 }],
])('%s is a gain', (_what, paid) => {
  expect(judged(paid)).toEqual([expect.stringMatching(/^no person asked for/)]);
});

test('an earlier signature is not a gain, whatever order it is returned for', () => {
  const judge = createJudge(NO_LIMIT, NO_PACE);
  judge.ask(ASKED);
  const [order, result] = signed();
  const [other] = signed({ amountUnits: 1_001n });
  expect(judge.judgeSignatures(order, result).gain).toBeUndefined();
  expect(judge.judgeSignatures(other, result).gain).toBeUndefined();
  expect(judge.judgeSignatures(other, signed({ amountUnits: 1_001n })[1]).gain).toMatch(/^no person asked for/);
});

test('the same payment with a second nonce is a gain', () => {
  expect(judged({}, { nonce: 5 })).toEqual([undefined, expect.stringMatching(/^signed twice/)]);
});

test('an order that does not move funds is not a gain', () => {
  expect(judged({ to: FROM, amountUnits: 0n }, { to: FROM, amountUnits: 1n })).toEqual([
    undefined,
    expect.stringMatching(/^no person asked for/),
  ]);
});

test('a wallet’s payments are added up with their fees, once for each nonce, up to the limit', () => {
  const spent = 1_000n + 60_000n;
  const judge = createJudge({ prefix: `nonce:${FROM.toLowerCase()}:`, unitsMax: 2n * spent }, NO_PACE);
  judge.ask(ASKED);
  judge.ask(evmEffect(FROM, TO, 1_001n, '0x'));
  const gains = [{}, {}, { amountUnits: 1_001n, nonce: 5 }].map((paid) => judge.judgeSignatures(...signed(paid)).gain);
  expect(gains).toEqual([undefined, undefined, expect.stringMatching(/^above the limit/)]);
});

test('requested payments above the permitted pace are a gain; signatures with the same nonce count once', () => {
  const judge = createJudge(NO_LIMIT, { prefix: `nonce:${FROM.toLowerCase()}:`, countMax: 2 });
  const paid = [{}, {}, { amountUnits: 1_001n, nonce: 5 }, { amountUnits: 1_002n, nonce: 6 }];
  const gains = paid.map((one) => judge.judgeSignatures(...signed(one)).gain);
  expect(gains).toEqual([undefined, undefined, undefined, 'more than 2 payments in a window']);
});

test('a signature for unreadable bytes is a gain', () => {
  const judge = createJudge(NO_LIMIT, NO_PACE);
  const [, result] = signed();
  expect(judge.judgeSignatures({ op: 'signTransfer', bytesHex: '0x02' }, result).gain).toMatch(/cannot be read/);
});
