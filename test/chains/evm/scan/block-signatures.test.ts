import { keccak256, parseSignature, parseTransaction } from 'viem';
import { privateKeyToAccount } from 'viem/accounts';
import { serializeTransaction as serializeCelo } from 'viem/celo';
import { FullBlockReply } from '../../../../chains/evm/scan/block-schemas';
import { blockSignaturesIn } from '../../../../chains/evm/scan/block-signatures';
import type { ChainSignature } from '../../../../chains/types';

const alice = privateKeyToAccount(`0x${'11'.repeat(32)}`);
const bob = privateKeyToAccount(`0x${'22'.repeat(32)}`);
const TO = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
const HASH = `0x${'ab'.repeat(32)}`;
const quantity = (value: number | bigint | undefined) => `0x${(value ?? 0).toString(16)}`;

/** A block as a node returns it, with these transactions. */
const blockWith = (...transactions: readonly object[]): FullBlockReply =>
  FullBlockReply.parse({
    ...{ hash: HASH, parentHash: HASH, sha3Uncles: HASH, miner: TO, stateRoot: HASH, transactionsRoot: HASH, receiptsRoot: HASH },
    ...{ logsBloom: '0x', number: '0x1', gasLimit: '0x1', gasUsed: '0x1', timestamp: '0x1', extraData: '0x' },
    transactions: transactions.map((tx) => ({ hash: HASH, from: alice.address, to: TO, input: '0x', value: '0x1', ...tx })),
  });
const signaturesIn = (block: FullBlockReply, isWatched: (address: string) => boolean) =>
  blockSignaturesIn({ block, receipts: [] }, isWatched);
const everyone = () => true;
const onlyOf = (address: string) => (one: string) => one === address.toLowerCase();
const genuine = (found: readonly ChainSignature[]) => Promise.all(found.map(({ isGenuine }) => isGenuine()));

const common = { to: TO, value: 1n, gas: 100_000n } as const;
const prices = { maxFeePerGas: 10n ** 11n, maxPriorityFeePerGas: 1n } as const;
const accessList = [{ address: TO, storageKeys: [`0x${'07'.repeat(32)}`] }] as const;

/** The members of a signed transaction, with the names that a node gives them. */
function told(raw: `0x${string}`): Record<string, unknown> {
  const { type, nonce, gas, value, gasPrice, maxFeePerGas, maxPriorityFeePerGas, chainId, v, yParity, r, s, ...rest } =
    parseTransaction(raw) as ReturnType<typeof parseTransaction> & { v?: bigint; yParity?: number; r?: string; s?: string };
  const types = { legacy: '0x0', eip2930: '0x1', eip1559: '0x2', eip4844: '0x3', eip7702: '0x4' } as const;
  return {
    ...{
      type: types[type as keyof typeof types],
      nonce: quantity(nonce),
      gas: quantity(gas),
      value: quantity(value),
      chainId: quantity(chainId),
      r,
      s,
    },
    ...('accessList' in rest ? { accessList: rest.accessList } : {}),
    ...(gasPrice === undefined
      ? { maxFeePerGas: quantity(maxFeePerGas), maxPriorityFeePerGas: quantity(maxPriorityFeePerGas) }
      : { gasPrice: quantity(gasPrice) }),
    ...(type === 'legacy' ? { v: quantity(v) } : { yParity: quantity(yParity) }),
  };
}

test.each([
  ['legacy without a chain', () => alice.signTransaction({ ...common, type: 'legacy', nonce: 0, gasPrice: 7n })],
  ['legacy', () => alice.signTransaction({ ...common, type: 'legacy', nonce: 1, gasPrice: 7n, chainId: 11_155_111 })],
  ['EIP-2930', () => alice.signTransaction({ ...common, type: 'eip2930', nonce: 2, gasPrice: 7n, chainId: 1, accessList })],
  ['EIP-1559', () => alice.signTransaction({ ...common, ...prices, type: 'eip1559', nonce: 3, chainId: 1, accessList })],
])('the signature of a sender is genuine in the form %s, but not for any other account', async (_form, sign) => {
  const tx = told(await sign());
  const [own] = signaturesIn(blockWith(tx), onlyOf(alice.address));
  expect(own).toMatchObject({ address: alice.address, txHash: HASH, r: tx['r'], s: tx['s'] });
  expect(await own?.isGenuine()).toBe(true);
  const claimed = signaturesIn(blockWith({ ...tx, from: bob.address }), onlyOf(bob.address));
  expect(await genuine(claimed)).toEqual([false]);
  const altered = signaturesIn(blockWith({ ...tx, value: '0x2' }), onlyOf(alice.address));
  expect(await genuine(altered)).toEqual([false]);
  expect(signaturesIn(blockWith(tx), onlyOf(bob.address))).toEqual([]);
});

test('the signature of a sender that pays the fee in a token of Celo is genuine', async () => {
  const request = { ...common, ...prices, chainId: 42_220, nonce: 4, feeCurrency: TO, type: 'cip64' } as const;
  const { r, s, yParity } = parseSignature(await alice.sign({ hash: keccak256(serializeCelo(request)) }));
  const tx = {
    ...{ type: '0x7b', chainId: '0xa4ec', nonce: '0x4', gas: quantity(common.gas), feeCurrency: TO, accessList: [], r, s },
    ...{ maxFeePerGas: quantity(prices.maxFeePerGas), maxPriorityFeePerGas: '0x1' },
    yParity: quantity(yParity),
  };
  expect(await genuine(signaturesIn(blockWith(tx), everyone))).toEqual([true]);
});

test('an account that authorises code is recognised as a signer, even if it does not send a transaction', async () => {
  const signed = await bob.signAuthorization({ address: TO, chainId: 0, nonce: 7 });
  const { r, s, yParity } = parseSignature(`${signed.r}${signed.s.slice(2)}${signed.yParity === 0 ? '1b' : '1c'}`);
  const authorization = { chainId: '0x0', address: TO, nonce: '0x7', yParity: quantity(yParity), r, s };
  const tx = { type: '0x4', nonce: '0x0', gas: '0x1', r: '0x1', s: '0x1', yParity: '0x0', authorizationList: [authorization] };
  const found = signaturesIn(blockWith(tx), onlyOf(bob.address));
  expect(found).toEqual([expect.objectContaining({ address: bob.address, r, s })]);
  expect(await genuine(found)).toEqual([true]);
  const other = { ...authorization, nonce: '0x8' };
  expect(signaturesIn(blockWith({ ...tx, authorizationList: [other] }), onlyOf(bob.address))).toEqual([]);
});

test('signature words without their leading zeros are padded', async () => {
  const tx = { type: '0x2', nonce: '0x0', gas: '0x1', r: '0x1', s: '0x2', yParity: '0x0' };
  const [found] = signaturesIn(blockWith(tx), everyone);
  expect(found).toMatchObject({ r: `0x${'1'.padStart(64, '0')}`, s: `0x${'2'.padStart(64, '0')}` });
});

test.each([
  ['a deposit into a rollup, which has no signature', { type: '0x7e' }],
  ['a deposit whose signature is zero', { type: '0x0', r: '0x0', s: '0x0', v: '0x0' }],
  ['a transaction of an unknown type', { type: '0x77', r: '0x1', s: '0x1', yParity: '0x0' }],
  ['a transaction of Tempo whose signature has an unknown format', { type: '0x76', calls: [], signature: '0x05' }],
])('%s does not yield a signature of its sender', (_what, tx) => {
  expect(signaturesIn(blockWith({ nonce: '0x0', gas: '0x1', ...tx }), everyone)).toEqual([]);
});
