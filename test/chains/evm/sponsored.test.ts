import { privateKeyToAccount } from 'viem/accounts';
import { parseTransaction } from 'viem/utils';
import { DELEGATE, ENTRY_POINT } from '../../../chains/evm/user-operations';
import { Hash } from '../../../chains/rpc/rpc';
import { foundSponsoring } from '../../../local/sponsoring-contracts';
import { waitUntil } from '../../support/wait-until';
import { FAUCET, startAnvil } from './anvil';
import { codec } from './intents';

const CHAIN_ID = 11_155_111;
const TO = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const STRANGER = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const owner = privateKeyToAccount(`0x${'03'.repeat(32)}`);
const call = { to: TO, valueUnits: '5', dataHex: '0x' };
const parts = (hex: string, yParity: number) => ({
  ...{ r: hex.slice(0, 66), s: `0x${hex.slice(66, 130)}` },
  recoveryId: yParity === 1 ? (1 as const) : (0 as const),
});

let chain: Awaited<ReturnType<typeof startAnvil>>;
beforeAll(async () => {
  chain = await startAnvil();
  const order = (method: string, params: readonly unknown[] = []) => chain.order(method, ...params);
  expect(await chain.reader.hasSponsoring()).toBe(false);
  await foundSponsoring({ call: order, forward: () => Promise.reject(new Error('not here')), stop: async () => undefined });
  await chain.order('anvil_setBalance', owner.address, '0x64');
});
afterAll(() => chain?.stop());

/** The sponsor's signed transaction, the hash of its operation, and the bytes with which anyone can send the operation. */
async function signed(key: bigint, wanted: { readonly value?: string; readonly gas?: bigint } = {}) {
  const calls = [{ ...call, valueUnits: wanted.value ?? '5' }];
  const asked = { sender: owner.address, sponsor: FAUCET, calls: [call], nonce: key << 64n };
  const read = await chain.reader.sponsoredFees(asked, 'Standard');
  const fees = { ...read, gas: wanted.gas ?? read.gas };
  const operation = { ...asked, calls, verificationGas: fees.verificationGas, callGas: fees.callGas };
  const nonce = await chain.reader.transactionCount(FAUCET, 'latest');
  const authorizationNonce = fees.isDelegated ? null : 0;
  const { unsigned, operationHash } = codec.buildSponsored({ operation, sponsor: FAUCET, authorizationNonce }, nonce, fees);
  const ofOperation = await owner.sign({ hash: operationHash as `0x${string}` });
  const ofAccount = await owner.signAuthorization({ contractAddress: DELEGATE, chainId: CHAIN_ID, nonce: 0 });
  const authorization = { r: ofAccount.r, s: ofAccount.s, recoveryId: ofAccount.yParity === 1 ? (1 as const) : (0 as const) };
  const complete = codec.completeSponsored(unsigned, [
    parts(ofOperation, Number.parseInt(ofOperation.slice(130), 16) - 27),
    ...(authorizationNonce === null ? [] : [authorization]),
  ]);
  return { ...codec.attach(complete, chain.sign(complete.digestHex), FAUCET), operationHash, bytesHex: complete.bytesHex };
}
const receiptOf = (txHash: string, operationHash?: string) =>
  chain.gateway
    .receipts([txHash], operationHash === undefined ? undefined : new Map([[txHash, operationHash]]))
    .then((found) => found.get(txHash));
const included = (txHash: string) => waitUntil('the block', async () => (await receiptOf(txHash)) ?? false);

test('the reader’s gas limits suffice for the first operation of an account with its delegation, and for later operations', async () => {
  const first = await signed(1n);
  expect(await chain.gateway.broadcast(first.rawHex, first.txHash)).toBe('Accepted');
  await included(first.txHash);
  expect(await receiptOf(first.txHash, first.operationHash)).toMatchObject({ success: true });
  const second = await signed(2n);
  expect(second.rawHex).toMatch(/^0x02/);
  await chain.gateway.broadcast(second.rawHex, second.txHash);
  await included(second.txHash);
  expect(await receiptOf(second.txHash, second.operationHash)).toMatchObject({ success: true });
  expect(await chain.reader.nativeBalance(TO)).toBe(10n);
});

test('a successful transaction with a failed operation is reported as failed', async () => {
  const { rawHex, txHash, operationHash } = await signed(3n, { value: '1000' });
  await chain.gateway.broadcast(rawHex, txHash);
  expect(await included(txHash)).toMatchObject({ success: true });
  expect(await receiptOf(txHash, operationHash)).toMatchObject({ success: false });
});

test('a reverted transaction has no receipt while its operation can still be sent, and succeeds once a stranger sends it', async () => {
  const short = await signed(4n, { gas: 100_000n });
  await chain.gateway.broadcast(short.rawHex, short.txHash);
  expect(await included(short.txHash)).toMatchObject({ success: false });
  expect(await receiptOf(short.txHash, short.operationHash)).toBeUndefined();

  // A stranger sends the operation later, so the receipt has the height of the stranger's block.
  const { data: shortData = '0x' } = parseTransaction(short.bytesHex as `0x02${string}`);
  const afterwards = { from: STRANGER, to: ENTRY_POINT, data: shortData, gas: '0x1e8480' };
  const later = await chain.call('eth_sendTransaction', [afterwards], Hash);
  await included(later);
  const { height, blockHash, feeUnits } = await included(later);
  const own = await included(short.txHash);
  expect(own.height).toBeLessThan(height);
  const place = { height, blockHash, isElsewhere: true, feeUnits: own.feeUnits };
  expect(await receiptOf(short.txHash, short.operationHash)).toEqual({ success: true, carriedOutBy: later, ...place });
  expect(own.feeUnits).not.toBe(feeUnits);

  const late = await signed(5n);
  const { data = '0x' } = parseTransaction(late.bytesHex as `0x02${string}`);
  const sent = { from: STRANGER, to: ENTRY_POINT, data, gas: '0x1e8480' };
  const theirs = await chain.call('eth_sendTransaction', [sent], Hash);
  await included(theirs);
  await chain.gateway.broadcast(late.rawHex, late.txHash);
  expect(await included(late.txHash)).toMatchObject({ success: false });
  const { height: ownHeight } = await included(late.txHash);
  expect(await receiptOf(late.txHash, late.operationHash)).toMatchObject({
    ...{ success: true, carriedOutBy: theirs, height: ownHeight },
  });
});

test('the receipt of an operation that lost its nonce contains the winning operation and its outcome', async () => {
  const [wanted, cancel] = [await signed(6n), await signed(6n, { value: '0' })];
  expect(cancel.operationHash).not.toBe(wanted.operationHash);
  const { data = '0x' } = parseTransaction(wanted.bytesHex as `0x02${string}`);
  const theirs = await chain.call('eth_sendTransaction', [{ from: STRANGER, to: ENTRY_POINT, data, gas: '0x1e8480' }], Hash);
  await included(theirs);
  await chain.gateway.broadcast(cancel.rawHex, cancel.txHash);
  await included(cancel.txHash);
  expect(await receiptOf(cancel.txHash, cancel.operationHash)).toMatchObject({
    success: false,
    carriedOutBy: theirs,
    instead: { operationHash: wanted.operationHash, success: true },
  });
});
