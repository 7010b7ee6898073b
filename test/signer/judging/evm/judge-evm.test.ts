import { keccak256, serializeTransaction } from 'viem/utils';
import { judgeEvm } from '../../../../signer/judging/evm/judge-evm';
import { CLOCK_DRIFT_MS_MAX } from '../../../../signer/judging/order-checks';
import type { CreatedKey, SignTransferOrder } from '../../../../signer/protocol';
import {
  FEES,
  keyOrder,
  MAX_FEE_UNITS,
  NOW_MS,
  openOperations,
  orderFor,
  refusedAs,
  TO,
  TOKEN,
  temporaryFolder,
} from '../../fixtures';

const OTHER = '0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359';
const folder = temporaryFolder();
let created: CreatedKey;
let stranger: CreatedKey;
let foreign: CreatedKey;

beforeAll(async () => {
  const operations = await openOperations(folder.path);
  created = await operations.createKey(keyOrder('key-1'));
  stranger = await operations.createKey(keyOrder('key-2'));
  foreign = await operations.createKey(keyOrder('key-3', 'or-other'));
  await operations.close();
});
afterAll(folder.remove);

const native = () => orderFor(created, 'xfr-1');
const token = () => orderFor(created, 'xfr-1', { intent: { asset: { kind: 'Erc20', contract: TOKEN } } });

const HIDDEN = { handle: `0x${'ab'.repeat(21)}000000000000aa36a70500`, inputProof: `0x0101${'cd'.repeat(97)}` };
const hidden = (set: Parameters<typeof orderFor>[2] = {}) =>
  orderFor(created, 'xfr-1', {
    ...set,
    intent: { asset: { kind: 'Erc7984', contract: TOKEN }, encrypted: HIDDEN, ...set.intent },
  });
/** The order `hidden()`, but with bytes for a different encrypted amount. */
const hiddenWith = (encrypted: typeof HIDDEN) => ({ ...hidden(), bytesHex: hidden({ intent: { encrypted } }).bytesHex });

const picture = (set: Parameters<typeof orderFor>[2] = {}) =>
  orderFor(created, 'xfr-1', {
    ...set,
    intent: { amountUnits: 1n, asset: { kind: 'Erc721', contract: TOKEN, tokenId: '7' }, ...set.intent },
  });

test.each([
  ['native', native],
  ['token', token],
  ['non-fungible token', () => picture()],
  ['encrypted', () => hidden()],
])('an honest %s order is signed: the digest is that of its bytes', (_kind, make) => {
  const order = make();
  expect(`0x${Buffer.from(judgeEvm(order, NOW_MS)).toString('hex')}`).toBe(keccak256(order.bytesHex as `0x${string}`));
});

test('the case of an approved address does not matter', () => {
  const order = token();
  const lower = {
    ...order.intent,
    to: order.intent.to.toLowerCase(),
    asset: { kind: 'Erc20', contract: TOKEN.toLowerCase() } as const,
  };
  expect(() => judgeEvm({ ...order, intent: lower }, NOW_MS)).not.toThrow();
});

/** The order `native()`, but with the bytes of a different transfer. */
const withBytesOf = (other: SignTransferOrder) => ({ ...native(), bytesHex: other.bytesHex });
const bytesOf = (changes: Parameters<typeof serializeTransaction>[0]) => ({
  ...native(),
  bytesHex: serializeTransaction(changes),
});
const tx = { type: 'eip1559', chainId: 11_155_111, nonce: 4, to: TO, value: 1_000n, ...FEES } as const;

test.each<[string, string, () => SignTransferOrder]>([
  ['an unknown network', 'UnknownNetwork', () => ({ ...native(), network: 'Sepolia' })],
  ['bytes for another chain', 'ChainIdMismatch', () => bytesOf({ ...tx, chainId: 1 })],
  ['a different chain id in the order', 'ChainIdMismatch', () => ({ ...native(), chainId: 1 })],
  ['a different nonce in the bytes', 'NonceMismatch', () => withBytesOf(orderFor(created, 'xfr-1', { nonce: 5 }))],
  [
    'a different recipient in the bytes',
    'RecipientMismatch',
    () => withBytesOf(orderFor(created, 'xfr-1', { intent: { to: OTHER } })),
  ],
  ['a different recipient of the token', 'RecipientMismatch', () => ({ ...token(), intent: { ...token().intent, to: OTHER } })],
  [
    'one unit more in the bytes',
    'AmountMismatch',
    () => withBytesOf(orderFor(created, 'xfr-1', { intent: { amountUnits: 1_001n } })),
  ],
  [
    'one unit less in the bytes',
    'AmountMismatch',
    () => withBytesOf(orderFor(created, 'xfr-1', { intent: { amountUnits: 999n } })),
  ],
  ['a token in the bytes, but the native coin approved', 'AssetMismatch', () => withBytesOf(token())],
  ['the native coin in the bytes, but a token approved', 'AssetMismatch', () => ({ ...token(), bytesHex: native().bytesHex })],
  [
    'a different token',
    'AssetMismatch',
    () => ({ ...token(), intent: { ...token().intent, asset: { kind: 'Erc20', contract: OTHER } } }),
  ],
  [
    'a different token of the contract',
    'AssetMismatch',
    () => ({ ...picture(), intent: { ...picture().intent, asset: { kind: 'Erc721', contract: TOKEN, tokenId: '8' } } }),
  ],
  [
    'a token that belongs to another owner, who permitted the transfer',
    'SenderMismatch',
    () => ({ ...picture(), bytesHex: picture({ intent: { from: OTHER } }).bytesHex }),
  ],
  [
    'a different ciphertext in the bytes',
    'AmountMismatch',
    () => hiddenWith({ ...HIDDEN, handle: `0x${'ac'.repeat(21)}000000000000aa36a70500` }),
  ],
  ['a different proof in the bytes', 'AmountMismatch', () => hiddenWith({ ...HIDDEN, inputProof: `0x0101${'ce'.repeat(97)}` })],
  ['a ciphertext where none was approved', 'AmountMismatch', () => ({ ...hidden(), encrypted: undefined })],
  ['a ciphertext together with a readable amount', 'AmountMismatch', () => ({ ...token(), encrypted: HIDDEN })],
  [
    'a different recipient of the encrypted amount',
    'RecipientMismatch',
    () => ({ ...hidden(), bytesHex: hidden({ intent: { to: OTHER } }).bytesHex }),
  ],
  [
    'a different token with an encrypted amount',
    'AssetMismatch',
    () => ({ ...hidden(), intent: { ...hidden().intent, asset: { kind: 'Erc7984', contract: OTHER } } }),
  ],
  ['an encrypted amount, but a plain token approved', 'AssetMismatch', () => ({ ...token(), bytesHex: hidden().bytesHex })],
  [
    'a ciphertext for another chain',
    'BytesNotUnderstood',
    () => hiddenWith({ ...HIDDEN, handle: `0x${'ab'.repeat(21)}000000000000aa36a80500` }),
  ],
  [
    'a fee one unit above the approved fee',
    'FeeAboveApproved',
    () => ({ ...native(), feeCeilingUnits: String(MAX_FEE_UNITS - 1n) }),
  ],
  [
    'a fee above the signer’s own ceiling, whatever was approved',
    'FeeAboveSignerCeiling',
    () => ({ ...bytesOf({ ...tx, gas: 10_000_000n, maxFeePerGas: 20_000_000_001n }), feeCeilingUnits: String(10n ** 30n) }),
  ],
  ['data in a plain transfer', 'BytesNotUnderstood', () => bytesOf({ ...tx, data: '0x00' })],
  ['an access list', 'BytesNotUnderstood', () => bytesOf({ ...tx, accessList: [{ address: TO, storageKeys: [] }] })],
  ['bytes that are not a transaction', 'BytesNotUnderstood', () => ({ ...native(), bytesHex: '0x02c0' })],
  [
    'a sender that is not the key’s address',
    'SenderMismatch',
    () => ({ ...native(), intent: { ...native().intent, from: OTHER } }),
  ],
  ['the key of another wallet', 'KeyRowMismatch', () => ({ ...native(), sealed: stranger.sealed })],
  ['the key of another organisation', 'KeyRowMismatch', () => ({ ...native(), sealed: foreign.sealed })],
  ['the data key of another organisation', 'KeyRowMismatch', () => ({ ...native(), dek: foreign.dek })],
  [
    'a public key that is not a point',
    'KeyRowMismatch',
    () => ({ ...native(), sealed: { ...created.sealed, publicKeyHex: `02${'f'.repeat(64)}` } }),
  ],
])('%s: %s', (_what, reason, make) => {
  expect(() => judgeEvm(make(), NOW_MS)).toThrow(refusedAs(reason));
});

test('a fee of exactly the approved ceiling passes', () => {
  expect(() => judgeEvm({ ...native(), feeCeilingUnits: String(MAX_FEE_UNITS) }, NOW_MS)).not.toThrow();
});

test('a fee of exactly the signer ceiling passes', () => {
  const order = { ...bytesOf({ ...tx, gas: 10_000_000n, maxFeePerGas: 20_000_000_000n }), feeCeilingUnits: String(10n ** 30n) };
  expect(() => judgeEvm(order, NOW_MS)).not.toThrow();
});

test('the clocks may differ by the bound and no more, in either direction', () => {
  const order = { ...native(), notAfter: new Date(NOW_MS + 10 * CLOCK_DRIFT_MS_MAX).toISOString() };
  for (const side of [1, -1]) {
    expect(() => judgeEvm(order, NOW_MS + side * CLOCK_DRIFT_MS_MAX)).not.toThrow();
    expect(() => judgeEvm(order, NOW_MS + side * (CLOCK_DRIFT_MS_MAX + 1))).toThrow(refusedAs('ClockDrift'));
  }
});

test('an order is valid until it expires and not after', () => {
  const order = { ...native(), notAfter: new Date(NOW_MS + 5_000).toISOString() };
  expect(() => judgeEvm(order, NOW_MS + 5_000)).not.toThrow();
  expect(() => judgeEvm(order, NOW_MS + 5_001)).toThrow(refusedAs('OrderExpired'));
});
